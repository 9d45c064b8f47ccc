import { Controller, Get, Inject, Patch, Post, Req } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { Workspace } from '@heliograph/tenancy';
import { InOrganization, OnWorkspace, RequireCaller } from '../access/access.decorators';
import { ByCaller, InWorkspace, type AccessRequest, type Caller } from '../access/caller';
import { Answers, CALLER_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBodyOnce } from '../http/json-body';
import { nextCursor, PageQuery, pageOf, QueryOf } from '../http/query';
import { ToWrite, type WriteCall } from '../writes/writes.service';
import {
  ChangeWorkspaceRequest,
  CreateWorkspaceRequest,
  OneWorkspace,
  WorkspaceList,
  WorkspaceRecord,
} from './workspaces.dto';
import { WorkspacesService } from './workspaces.service';

/** What a workspace is before anybody has paid for it. */
const UNPAID = { plan: 'free', status: 'active', billingCustomer: null } as const;

@ApiTags('Workspaces')
@RefusesWith(...CALLER_REFUSALS)
@Controller('api/workspaces')
export class WorkspacesController {
  constructor(@Inject(WorkspacesService) private readonly workspaces: WorkspacesService) {}

  @Get()
  @RequireCaller()
  @ApiOperation({ operationId: 'listWorkspaces', summary: 'The workspaces that the caller belongs to' })
  @Answers(WorkspaceList)
  @RefusesWith('VALIDATION_ERROR')
  async list(@QueryOf(PageQuery) query: PageQuery, @Req() { access = {} }: AccessRequest): Promise<WorkspaceList> {
    const { items, next } = await this.workspaces.list(access, pageOf(query));
    return { workspaces: items.map((workspace) => WorkspaceRecord.of(workspace)), ...nextCursor(next) };
  }

  @Get(':id')
  @OnWorkspace('workspaces:read')
  @ApiOperation({ operationId: 'getWorkspace', summary: 'One workspace' })
  @Answers(OneWorkspace)
  @RefusesWith('NOT_FOUND')
  one(@InWorkspace() workspace: Workspace): OneWorkspace {
    return { workspace: WorkspaceRecord.of(workspace) };
  }

  @Post()
  @InOrganization('workspaces:write')
  @ApiOperation({ operationId: 'createWorkspace', summary: 'Makes a workspace in the organization of the caller' })
  @TakesBodyOnce(CreateWorkspaceRequest)
  @Answers(OneWorkspace, 201)
  @RefusesWith('SLUG_TAKEN')
  async create(
    @ByCaller() { organizationId }: Caller,
    @JsonBody(CreateWorkspaceRequest) asked: CreateWorkspaceRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneWorkspace> {
    return {
      workspace: await this.workspaces.create(call, organizationId, { ...UNPAID, ...asked }, (made) =>
        WorkspaceRecord.of(made),
      ),
    };
  }

  @Patch(':id')
  @OnWorkspace('workspaces:write')
  @ApiOperation({ operationId: 'changeWorkspace', summary: 'Gives a workspace another name or slug' })
  @TakesBodyOnce(ChangeWorkspaceRequest)
  @Answers(OneWorkspace)
  @RefusesWith('NOT_FOUND', 'SLUG_TAKEN')
  async change(
    @InWorkspace() workspace: Workspace,
    @JsonBody(ChangeWorkspaceRequest) asked: ChangeWorkspaceRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneWorkspace> {
    return {
      workspace: await this.workspaces.change(call, workspace, { ...asked }, (changed) => WorkspaceRecord.of(changed)),
    };
  }
}
