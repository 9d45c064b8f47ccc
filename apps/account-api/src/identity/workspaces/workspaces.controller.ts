import { Body, Controller, Get, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Workspace, Write } from '@heliograph/tenancy';
import { RequirePermission, RequireWorkspacePermission, RequireCaller } from '../../access/access.decorators';
import { CurrentAccess, CurrentCaller, CurrentWorkspace, type Access, type Caller } from '../../access/caller';
import { AccountOperation, IdempotentWrite } from '../../http/envelope';
import { PageQuery } from '../../http/page.query';
import { CurrentWrite } from '../../unit-of-work/current-write';
import {
  ChangeWorkspaceRequest,
  CreateWorkspaceRequest,
  OneWorkspace,
  WorkspaceList,
  WorkspaceRecord,
} from './workspaces.dto';
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
  @AccountOperation({
    id: 'listWorkspaces',
    summary: 'List the workspaces that the caller can access',

    description: 'Returns the workspaces of all organizations of the user, or that of the API key.',
    response: WorkspaceList,
  })
  list(@CurrentAccess() access: Access, @Query() query: PageQuery): Promise<WorkspaceList> {
    return this.workspaces.list(access, query);
  }

  @Get(':id')
  @RequireWorkspacePermission('workspaces:read')
  @AccountOperation({
    id: 'getWorkspace',
    summary: 'Get a workspace',
    description:
      'Returns the plan and the status of a workspace. A locked workspace sends nothing until its invoices are paid.',
    response: OneWorkspace,
  })
  get(@CurrentWorkspace() workspace: Workspace): OneWorkspace {
    return OneWorkspace.of(workspace);
  }

  @Post()
  @RequirePermission('workspaces:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'createWorkspace',
    summary: 'Create a workspace in the organization of the caller',

    description: 'A new workspace has no credits. Buy or transfer some before the first send.',
    status: 201,
    response: OneWorkspace,
    errors: ['SLUG_TAKEN', 'LIMIT_REACHED'],
  })
  create(
    @CurrentCaller() { organizationId }: Caller,
    @Body() body: CreateWorkspaceRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneWorkspace> {
    return this.workspaces.create(write, organizationId, { ...UNPAID, ...body }, OWN_WORKSPACE);
  }

  @Patch(':id')
  @RequireWorkspacePermission('workspaces:write')
  @IdempotentWrite()
  @AccountOperation({
    id: 'changeWorkspace',
    summary: 'Change the name or slug of a workspace',

    description: 'Sends keep their workspace, because messages refer to it by its id.',
    response: OneWorkspace,
    errors: ['SLUG_TAKEN'],
    sample: { body: { displayName: 'Demo Main' } },
  })
  update(
    @CurrentWorkspace() workspace: Workspace,
    @Body() body: ChangeWorkspaceRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneWorkspace> {
    return this.workspaces.update(write, workspace, body, OWN_WORKSPACE);
  }
}
