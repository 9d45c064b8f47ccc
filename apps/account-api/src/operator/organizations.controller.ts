import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { Sample } from '@heliograph/service-kit';
import { RequireOperator } from '../access/access.decorators';
import { ApiData, IdempotentWrite } from '../http/envelope';
import { AccountApiErrors } from '../http/api-errors';
import { PageQuery } from '../http/page.query';
import { CurrentWrite } from '../unit-of-work/current-write';
import { NewKey } from '../developer/api-keys/api-keys.dto';
import { OperatorWorkspacesService } from './operator-workspaces.service';
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
  OperatorWorkspaceList,
  OrganizationList,
  SetWorkspaceRequest,
} from './operator.dto';

@ApiTags('Platform operator')
@RequireOperator()
@Controller('api/platform')
export class OrganizationsController {
  constructor(
    private readonly organizations: OrganizationsService,
    private readonly operatorWorkspaces: OperatorWorkspacesService,
  ) {}

  @Get('organizations')
  @ApiOperation({ operationId: 'listOrganizations', summary: 'List all organizations' })
  @ApiData(OrganizationList)
  list(@Query() query: PageQuery): Promise<OrganizationList> {
    return this.organizations.listAcrossTenants(query);
  }

  @Post('organizations')
  @ApiOperation({ operationId: 'createOrganization', summary: 'Create an organization' })
  @IdempotentWrite()
  @ApiData(OneOrganizationAnswer, 201)
  @AccountApiErrors('SLUG_TAKEN')
  create(@Body() body: CreateOrganizationRequest, @CurrentWrite() write: Write): Promise<OneOrganizationAnswer> {
    return this.organizations.create(write, body);
  }

  @Get('organizations/:organizationId')
  @ApiOperation({ operationId: 'getOrganizationAsOperator', summary: 'Get an organization' })
  @ApiData(OneOrganizationAnswer)
  get(@Param('organizationId') id: string): Promise<OneOrganizationAnswer> {
    return this.organizations.get(id);
  }

  @Post('organizations/:organizationId/users')
  @Sample({
    body: {
      email: 'new.owner@demo.example',
      role: 'owner',
      name: 'New Owner',
      password: 'correct horse battery staple',
    },
  })
  @ApiOperation({
    operationId: 'addUser',
    summary: 'Add a member',
    description: 'Creates the user if it does not exist.',
  })
  @IdempotentWrite()
  @ApiData(OneAddedUser, 201)
  @AccountApiErrors('ALREADY_MEMBER')
  addUser(
    @Param('organizationId') id: string,
    @Body() body: AddUserRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneAddedUser> {
    return this.organizations.addUser(write, id, body);
  }

  @Get('organizations/:organizationId/workspaces')
  @ApiOperation({ operationId: 'listWorkspacesAsOperator', summary: 'List the workspaces of an organization' })
  @ApiData(OperatorWorkspaceList)
  workspaces(@Param('organizationId') id: string, @Query() query: PageQuery): Promise<OperatorWorkspaceList> {
    return this.operatorWorkspaces.list(id, query);
  }

  @Post('organizations/:organizationId/workspaces')
  @Sample({ body: { slug: 'demo-second', displayName: 'Demo Second', plan: 'pro', status: 'active' } })
  @ApiOperation({ operationId: 'addWorkspace', summary: 'Create a workspace with any plan and billing customer' })
  @IdempotentWrite()
  @ApiData(OneOperatorWorkspace, 201)
  @AccountApiErrors('SLUG_TAKEN', 'NAME_TAKEN')
  addWorkspace(
    @Param('organizationId') id: string,
    @Body() body: AddWorkspaceRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneOperatorWorkspace> {
    return this.operatorWorkspaces.create(write, id, body);
  }

  @Get('workspaces/:workspaceId')
  @Sample({ values: { workspaceId: { get: '/api/workspaces?limit=1' } } })
  @ApiOperation({ operationId: 'getWorkspaceAsOperator', summary: 'Get a workspace' })
  @ApiData(OneOperatorWorkspace)
  workspace(@Param('workspaceId') id: string): Promise<OneOperatorWorkspace> {
    return this.operatorWorkspaces.getAcrossTenants(id);
  }

  @Patch('workspaces/:workspaceId')
  @Sample({
    body: { displayName: 'Demo Main', status: 'active' },
    values: { workspaceId: { get: '/api/workspaces?limit=1' } },
  })
  @ApiOperation({
    operationId: 'setWorkspace',
    summary: 'Update the plan, status, billing customer, name or slug of a workspace',
  })
  @IdempotentWrite()
  @ApiData(OneOperatorWorkspace)
  @AccountApiErrors('SLUG_TAKEN', 'NAME_TAKEN')
  setWorkspace(
    @Param('workspaceId') id: string,
    @Body() body: SetWorkspaceRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneOperatorWorkspace> {
    return this.operatorWorkspaces.update(write, id, body);
  }

  @Post('workspaces/:workspaceId/credits')
  @Sample({
    body: { creditType: 'sms', amount: 1000, reference: 'order-4711' },
    values: { workspaceId: { get: '/api/workspaces?limit=1' } },
  })
  @ApiOperation({ operationId: 'grantCredits', summary: 'Add or remove credits of a workspace' })
  @IdempotentWrite()
  @ApiData(OneGrant, 201)
  @AccountApiErrors('INSUFFICIENT_CREDITS', 'STATE_CONFLICT')
  grant(@Param('workspaceId') id: string, @Body() body: GrantRequest, @CurrentWrite() write: Write): Promise<OneGrant> {
    return this.operatorWorkspaces.grant(write, id, body);
  }

  @Post('api-keys')
  @ApiOperation({ operationId: 'createApiKeyAsOperator', summary: 'Create an API key with or without an organization' })
  @IdempotentWrite({ sealed: true })
  @ApiData(NewKey, 201)
  @AccountApiErrors('NAME_TAKEN')
  createKey(@Body() body: OperatorKeyRequest, @CurrentWrite() write: Write): Promise<NewKey> {
    return this.organizations.createKey(write, body);
  }
}
