import { Controller, Get, Patch, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Workspace } from '@heliograph/tenancy';
import { RequirePermission, RequireWorkspacePermission, RequireCaller } from '../access/access.decorators';
import { CurrentCaller, CurrentWorkspace, type AccessRequest, type Caller } from '../access/caller';
import { ApiData, CALLER_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiIdempotentBody } from '../http/json-body';
import { nextCursor, PageQuery, pageOf, ValidatedQuery } from '../http/query';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
import {
  ChangeWorkspaceRequest,
  CreateWorkspaceRequest,
  OneWorkspace,
  WorkspaceList,
  WorkspaceRecord,
} from './workspaces.dto';
import { WorkspacesService } from './workspaces.service';

/** Initial billing state of a workspace without a subscription. */
const UNPAID = { plan: 'free', status: 'active', billingCustomer: null } as const;

@ApiTags('Workspaces')
@ApiErrors(...CALLER_ERRORS)
@Controller('api/workspaces')
export class WorkspacesController {
  constructor(private readonly workspaces: WorkspacesService) {}

  @Get()
  @RequireCaller()
  @ApiOperation({ operationId: 'listWorkspaces', summary: 'List the workspaces that the caller can access' })
  @ApiData(WorkspaceList)
  @ApiErrors('VALIDATION_ERROR')
  async list(
    @ValidatedQuery(PageQuery) query: PageQuery,
    @Req() { access = {} }: AccessRequest,
  ): Promise<WorkspaceList> {
    const { items, next } = await this.workspaces.list(access, pageOf(query));
    return { workspaces: items.map((workspace) => WorkspaceRecord.of(workspace)), ...nextCursor(next) };
  }

  @Get(':id')
  @RequireWorkspacePermission('workspaces:read')
  @ApiOperation({ operationId: 'getWorkspace', summary: 'Get a workspace' })
  @ApiData(OneWorkspace)
  @ApiErrors('NOT_FOUND')
  get(@CurrentWorkspace() workspace: Workspace): OneWorkspace {
    return { workspace: WorkspaceRecord.of(workspace) };
  }

  @Post()
  @RequirePermission('workspaces:write')
  @ApiOperation({ operationId: 'createWorkspace', summary: 'Create a workspace in the organization of the caller' })
  @ApiIdempotentBody(CreateWorkspaceRequest)
  @ApiData(OneWorkspace, 201)
  @ApiErrors('SLUG_TAKEN')
  async create(
    @CurrentCaller() { organizationId }: Caller,
    @JsonBody(CreateWorkspaceRequest) body: CreateWorkspaceRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneWorkspace> {
    return {
      workspace: await this.workspaces.create(write, organizationId, { ...UNPAID, ...body }, (created) =>
        WorkspaceRecord.of(created),
      ),
    };
  }

  @Patch(':id')
  @RequireWorkspacePermission('workspaces:write')
  @ApiOperation({ operationId: 'changeWorkspace', summary: 'Change the name or slug of a workspace' })
  @ApiIdempotentBody(ChangeWorkspaceRequest)
  @ApiData(OneWorkspace)
  @ApiErrors('NOT_FOUND', 'SLUG_TAKEN')
  async update(
    @CurrentWorkspace() workspace: Workspace,
    @JsonBody(ChangeWorkspaceRequest) body: ChangeWorkspaceRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneWorkspace> {
    return {
      workspace: await this.workspaces.update(write, workspace, { ...body }, (changed) => WorkspaceRecord.of(changed)),
    };
  }
}
