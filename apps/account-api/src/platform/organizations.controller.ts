import { Controller, Get, Inject, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireOperator } from '../access/access.decorators';
import { NewKey } from '../api-keys/api-keys.dto';
import { Answers, OPERATOR_REFUSALS, RefusesWith } from '../http/envelope';
import { JsonBody, TakesBodyOnce } from '../http/json-body';
import { nextCursor, PageQuery, pageOf, QueryOf } from '../http/query';
import { ToWrite, type WriteCall } from '../writes/writes.service';
import { OrganizationsService } from './organizations.service';
import {
  AddUserRequest,
  AddWorkspaceRequest,
  CreateOrganizationRequest,
  GrantRequest,
  OneAddedUser,
  OneGrant,
  OneOperatorWorkspace,
  OneOrganizationAnswer,
  OperatorKeyRequest,
  OperatorWorkspace,
  OperatorWorkspaceList,
  OrganizationAnswer,
  OrganizationList,
  SetWorkspaceRequest,
} from './platform.dto';

@ApiTags('Platform operator')
@RequireOperator()
@RefusesWith(...OPERATOR_REFUSALS)
@Controller('api/platform')
export class OrganizationsController {
  constructor(@Inject(OrganizationsService) private readonly organizations: OrganizationsService) {}

  @Get('organizations')
  @ApiOperation({ operationId: 'listOrganizations', summary: 'All organizations' })
  @Answers(OrganizationList)
  @RefusesWith('VALIDATION_ERROR')
  async list(@QueryOf(PageQuery) query: PageQuery): Promise<OrganizationList> {
    const { items, next } = await this.organizations.listAcrossTenants(pageOf(query));
    return { organizations: items.map((one) => OrganizationAnswer.of(one)), ...nextCursor(next) };
  }

  @Post('organizations')
  @ApiOperation({ operationId: 'createOrganization', summary: 'Makes an organization' })
  @TakesBodyOnce(CreateOrganizationRequest)
  @Answers(OneOrganizationAnswer, 201)
  @RefusesWith('SLUG_TAKEN')
  async create(
    @JsonBody(CreateOrganizationRequest) asked: CreateOrganizationRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneOrganizationAnswer> {
    return { organization: await this.organizations.create(call, asked) };
  }

  @Get('organizations/:organizationId')
  @ApiOperation({ operationId: 'getOrganizationAsOperator', summary: 'One organization' })
  @Answers(OneOrganizationAnswer)
  @RefusesWith('NOT_FOUND')
  async one(@Param('organizationId') id: string): Promise<OneOrganizationAnswer> {
    return { organization: OrganizationAnswer.of(await this.organizations.organization(id)) };
  }

  @Post('organizations/:organizationId/users')
  @ApiOperation({ operationId: 'addUser', summary: 'Makes somebody a member, and a user where there is none' })
  @TakesBodyOnce(AddUserRequest)
  @Answers(OneAddedUser, 201)
  @RefusesWith('NOT_FOUND', 'ALREADY_MEMBER')
  async addUser(
    @Param('organizationId') id: string,
    @JsonBody(AddUserRequest) asked: AddUserRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneAddedUser> {
    return { member: await this.organizations.addUser(call, id, asked) };
  }

  @Get('organizations/:organizationId/workspaces')
  @ApiOperation({ operationId: 'listWorkspacesAsOperator', summary: "An organization's workspaces" })
  @Answers(OperatorWorkspaceList)
  @RefusesWith('NOT_FOUND', 'VALIDATION_ERROR')
  async workspaces(
    @Param('organizationId') id: string,
    @QueryOf(PageQuery) query: PageQuery,
  ): Promise<OperatorWorkspaceList> {
    const { items, next } = await this.organizations.workspaces(id, pageOf(query));
    return { workspaces: items.map((one) => OperatorWorkspace.of(one)), ...nextCursor(next) };
  }

  @Post('organizations/:organizationId/workspaces')
  @ApiOperation({ operationId: 'addWorkspace', summary: 'Makes a workspace, on any plan and for any payer' })
  @TakesBodyOnce(AddWorkspaceRequest)
  @Answers(OneOperatorWorkspace, 201)
  @RefusesWith('NOT_FOUND', 'SLUG_TAKEN', 'NAME_TAKEN')
  async addWorkspace(
    @Param('organizationId') id: string,
    @JsonBody(AddWorkspaceRequest) asked: AddWorkspaceRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneOperatorWorkspace> {
    return { workspace: await this.organizations.addWorkspace(call, id, asked) };
  }

  @Get('workspaces/:workspaceId')
  @ApiOperation({ operationId: 'getWorkspaceAsOperator', summary: 'One workspace' })
  @Answers(OneOperatorWorkspace)
  @RefusesWith('NOT_FOUND')
  async workspace(@Param('workspaceId') id: string): Promise<OneOperatorWorkspace> {
    return { workspace: OperatorWorkspace.of(await this.organizations.workspaceAcrossTenants(id)) };
  }

  @Patch('workspaces/:workspaceId')
  @ApiOperation({ operationId: 'setWorkspace', summary: 'Sets plan, status, payer, name or slug' })
  @TakesBodyOnce(SetWorkspaceRequest)
  @Answers(OneOperatorWorkspace)
  @RefusesWith('NOT_FOUND', 'SLUG_TAKEN', 'NAME_TAKEN')
  async setWorkspace(
    @Param('workspaceId') id: string,
    @JsonBody(SetWorkspaceRequest) asked: SetWorkspaceRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneOperatorWorkspace> {
    return { workspace: await this.organizations.setWorkspace(call, id, asked) };
  }

  @Post('workspaces/:workspaceId/credits')
  @ApiOperation({ operationId: 'grantCredits', summary: 'Adds credits to a workspace, or takes some' })
  @TakesBodyOnce(GrantRequest)
  @Answers(OneGrant, 201)
  @RefusesWith('NOT_FOUND', 'INSUFFICIENT_CREDITS', 'STATE_CONFLICT')
  async grant(
    @Param('workspaceId') id: string,
    @JsonBody(GrantRequest) asked: GrantRequest,
    @ToWrite() call: WriteCall,
  ): Promise<OneGrant> {
    return { grant: await this.organizations.grant(call, id, asked) };
  }

  @Post('api-keys')
  @ApiOperation({ operationId: 'createApiKeyAsOperator', summary: 'Makes a key of an organization, or of nobody' })
  @TakesBodyOnce(OperatorKeyRequest)
  @Answers(NewKey, 201)
  @RefusesWith('NOT_FOUND', 'NAME_TAKEN')
  createKey(@JsonBody(OperatorKeyRequest) asked: OperatorKeyRequest, @ToWrite() call: WriteCall): Promise<NewKey> {
    return this.organizations.createKey(call, asked);
  }
}
