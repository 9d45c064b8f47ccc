import { Controller, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { RequireOperator } from '../access/access.decorators';
import { NewKey } from '../api-keys/api-keys.dto';
import { ApiData, OPERATOR_ERRORS, ApiErrors } from '../http/envelope';
import { JsonBody, ApiIdempotentBody } from '../http/json-body';
import { nextCursor, PageQuery, pageOf, ValidatedQuery } from '../http/query';
import { CurrentWriteRequest, type WriteRequest } from '../unit-of-work/unit-of-work.service';
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
@ApiErrors(...OPERATOR_ERRORS)
@Controller('api/platform')
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Get('organizations')
  @ApiOperation({ operationId: 'listOrganizations', summary: 'List all organizations' })
  @ApiData(OrganizationList)
  @ApiErrors('VALIDATION_ERROR')
  async list(@ValidatedQuery(PageQuery) query: PageQuery): Promise<OrganizationList> {
    const { items, next } = await this.organizations.listAcrossTenants(pageOf(query));
    return { organizations: items.map((one) => OrganizationAnswer.of(one)), ...nextCursor(next) };
  }

  @Post('organizations')
  @ApiOperation({ operationId: 'createOrganization', summary: 'Create an organization' })
  @ApiIdempotentBody(CreateOrganizationRequest)
  @ApiData(OneOrganizationAnswer, 201)
  @ApiErrors('SLUG_TAKEN')
  async create(
    @JsonBody(CreateOrganizationRequest) body: CreateOrganizationRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneOrganizationAnswer> {
    return { organization: await this.organizations.create(write, body) };
  }

  @Get('organizations/:organizationId')
  @ApiOperation({ operationId: 'getOrganizationAsOperator', summary: 'Get an organization' })
  @ApiData(OneOrganizationAnswer)
  @ApiErrors('NOT_FOUND')
  async get(@Param('organizationId') id: string): Promise<OneOrganizationAnswer> {
    return { organization: OrganizationAnswer.of(await this.organizations.organization(id)) };
  }

  @Post('organizations/:organizationId/users')
  @ApiOperation({ operationId: 'addUser', summary: 'Add a member; creates the user if necessary' })
  @ApiIdempotentBody(AddUserRequest)
  @ApiData(OneAddedUser, 201)
  @ApiErrors('NOT_FOUND', 'ALREADY_MEMBER')
  async addUser(
    @Param('organizationId') id: string,
    @JsonBody(AddUserRequest) body: AddUserRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneAddedUser> {
    return { member: await this.organizations.addUser(write, id, body) };
  }

  @Get('organizations/:organizationId/workspaces')
  @ApiOperation({ operationId: 'listWorkspacesAsOperator', summary: 'List the workspaces of an organization' })
  @ApiData(OperatorWorkspaceList)
  @ApiErrors('NOT_FOUND', 'VALIDATION_ERROR')
  async workspaces(
    @Param('organizationId') id: string,
    @ValidatedQuery(PageQuery) query: PageQuery,
  ): Promise<OperatorWorkspaceList> {
    const { items, next } = await this.organizations.workspaces(id, pageOf(query));
    return { workspaces: items.map((one) => OperatorWorkspace.of(one)), ...nextCursor(next) };
  }

  @Post('organizations/:organizationId/workspaces')
  @ApiOperation({ operationId: 'addWorkspace', summary: 'Create a workspace with any plan and billing customer' })
  @ApiIdempotentBody(AddWorkspaceRequest)
  @ApiData(OneOperatorWorkspace, 201)
  @ApiErrors('NOT_FOUND', 'SLUG_TAKEN', 'NAME_TAKEN')
  async addWorkspace(
    @Param('organizationId') id: string,
    @JsonBody(AddWorkspaceRequest) body: AddWorkspaceRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneOperatorWorkspace> {
    return { workspace: await this.organizations.addWorkspace(write, id, body) };
  }

  @Get('workspaces/:workspaceId')
  @ApiOperation({ operationId: 'getWorkspaceAsOperator', summary: 'Get a workspace' })
  @ApiData(OneOperatorWorkspace)
  @ApiErrors('NOT_FOUND')
  async workspace(@Param('workspaceId') id: string): Promise<OneOperatorWorkspace> {
    return { workspace: OperatorWorkspace.of(await this.organizations.workspaceAcrossTenants(id)) };
  }

  @Patch('workspaces/:workspaceId')
  @ApiOperation({
    operationId: 'setWorkspace',
    summary: 'Update the plan, status, billing customer, name or slug of a workspace',
  })
  @ApiIdempotentBody(SetWorkspaceRequest)
  @ApiData(OneOperatorWorkspace)
  @ApiErrors('NOT_FOUND', 'SLUG_TAKEN', 'NAME_TAKEN')
  async setWorkspace(
    @Param('workspaceId') id: string,
    @JsonBody(SetWorkspaceRequest) body: SetWorkspaceRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneOperatorWorkspace> {
    return { workspace: await this.organizations.setWorkspace(write, id, body) };
  }

  @Post('workspaces/:workspaceId/credits')
  @ApiOperation({ operationId: 'grantCredits', summary: 'Add or remove credits of a workspace' })
  @ApiIdempotentBody(GrantRequest)
  @ApiData(OneGrant, 201)
  @ApiErrors('NOT_FOUND', 'INSUFFICIENT_CREDITS', 'STATE_CONFLICT')
  async grant(
    @Param('workspaceId') id: string,
    @JsonBody(GrantRequest) body: GrantRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<OneGrant> {
    return { grant: await this.organizations.grant(write, id, body) };
  }

  @Post('api-keys')
  @ApiOperation({ operationId: 'createApiKeyAsOperator', summary: 'Create an API key with or without an organization' })
  @ApiIdempotentBody(OperatorKeyRequest)
  @ApiData(NewKey, 201)
  @ApiErrors('NOT_FOUND', 'NAME_TAKEN')
  createKey(
    @JsonBody(OperatorKeyRequest) body: OperatorKeyRequest,
    @CurrentWriteRequest() write: WriteRequest,
  ): Promise<NewKey> {
    return this.organizations.createKey(write, body);
  }
}
