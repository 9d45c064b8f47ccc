import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Workspace, Write } from '@heliograph/tenancy';
import { RequirePermission, RequireWorkspacePermission, RequireCaller } from '../../access/access.decorators';
import { CurrentAccess, CurrentCaller, CurrentWorkspace, type Access, type Caller } from '../../access/caller';
import { ApiData, IdempotentWrite } from '../../http/envelope';
import { AccountApiErrors } from '../../http/api-errors';
import { PageQuery } from '../../http/page.query';
import { CurrentWrite } from '../../unit-of-work/current-write';
import {
  ChangeWorkspaceRequest,
  CreateWorkspaceRequest,
  OneWorkspace,
  WorkspaceList,
  WorkspaceRecord,
} from './workspaces.dto';
import { Sample } from '@heliograph/service-kit';
import { workspaceAnswer, WorkspacesService } from './workspaces.service';

/** Initial billing state of a workspace without a subscription. */
const UNPAID = { plan: 'free', status: 'active', billingCustomer: null } as const;
const OWN_WORKSPACE = workspaceAnswer(WorkspaceRecord.of, OneWorkspace.of);

@ApiTags('Workspaces')
@Controller('api/workspaces')
export class WorkspacesController {
  constructor(private readonly workspaces: WorkspacesService) {}

  @Get()
  @RequireCaller()
  @ApiOperation({ operationId: 'listWorkspaces', summary: 'List the workspaces that the caller can access' })
  @ApiData(WorkspaceList)
  list(@CurrentAccess() access: Access, @Query() query: PageQuery): Promise<WorkspaceList> {
    return this.workspaces.list(access, query);
  }

  @Get(':id')
  @RequireWorkspacePermission('workspaces:read')
  @ApiOperation({ operationId: 'getWorkspace', summary: 'Get a workspace' })
  @ApiData(OneWorkspace)
  get(@CurrentWorkspace() workspace: Workspace): OneWorkspace {
    return OneWorkspace.of(workspace);
  }

  @Post()
  @RequirePermission('workspaces:write')
  @ApiOperation({ operationId: 'createWorkspace', summary: 'Create a workspace in the organization of the caller' })
  @IdempotentWrite()
  @ApiData(OneWorkspace, 201)
  @AccountApiErrors('SLUG_TAKEN', 'LIMIT_REACHED')
  create(
    @CurrentCaller() { organizationId }: Caller,
    @Body() body: CreateWorkspaceRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneWorkspace> {
    return this.workspaces.create(write, organizationId, { ...UNPAID, ...body }, OWN_WORKSPACE);
  }

  @Patch(':id')
  @RequireWorkspacePermission('workspaces:write')
  @Sample({ body: { displayName: 'Demo Main' } })
  @ApiOperation({ operationId: 'changeWorkspace', summary: 'Change the name or slug of a workspace' })
  @IdempotentWrite()
  @ApiData(OneWorkspace)
  @AccountApiErrors('SLUG_TAKEN')
  update(
    @CurrentWorkspace() workspace: Workspace,
    @Body() body: ChangeWorkspaceRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneWorkspace> {
    return this.workspaces.update(write, workspace, body, OWN_WORKSPACE);
  }
}
