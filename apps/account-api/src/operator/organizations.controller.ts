import { Body, Controller, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Write } from '@heliograph/tenancy';
import { RequireOperator } from '../access/access.decorators';
import { AccountOperation, IdempotentWrite } from '../http/envelope';
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
  @AccountOperation({
    id: 'listOrganizations',
    summary: 'List all organizations',
    description: 'Contains the organizations of all customers.',
    response: OrganizationList,
  })
  list(@Query() query: PageQuery): Promise<OrganizationList> {
    return this.organizations.listAcrossTenants(query);
  }

  @Post('organizations')
  @IdempotentWrite()
  @AccountOperation({
    id: 'createOrganization',
    summary: 'Create an organization',
    description: 'Add members, workspaces and credits afterwards.',
    status: 201,
    response: OneOrganizationAnswer,
    errors: ['SLUG_TAKEN'],
  })
  create(@Body() body: CreateOrganizationRequest, @CurrentWrite() write: Write): Promise<OneOrganizationAnswer> {
    return this.organizations.create(write, body);
  }

  @Get('organizations/:organizationId')
  @AccountOperation({
    id: 'getOrganizationAsOperator',
    summary: 'Get an organization',
    description: 'Returns any organization of the installation.',
    response: OneOrganizationAnswer,
  })
  get(@Param('organizationId') id: string): Promise<OneOrganizationAnswer> {
    return this.organizations.get(id);
  }

  @Post('organizations/:organizationId/users')
  @IdempotentWrite()
  @AccountOperation({
    id: 'addUser',
    summary: 'Add a member',
    description: 'Creates the user if it does not exist.',
    status: 201,
    response: OneAddedUser,
    errors: ['ALREADY_MEMBER'],
    sample: {
      body: {
        email: 'new.owner@demo.example',
        role: 'owner',
        name: 'New Owner',
        password: 'correct horse battery staple',
      },
    },
  })
  addUser(
    @Param('organizationId') id: string,
    @Body() body: AddUserRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneAddedUser> {
    return this.organizations.addUser(write, id, body);
  }

  @Get('organizations/:organizationId/workspaces')
  @AccountOperation({
    id: 'listWorkspacesAsOperator',
    summary: 'List the workspaces of an organization',
    description: 'Contains locked workspaces.',
    response: OperatorWorkspaceList,
  })
  workspaces(@Param('organizationId') id: string, @Query() query: PageQuery): Promise<OperatorWorkspaceList> {
    return this.operatorWorkspaces.list(id, query);
  }

  @Post('organizations/:organizationId/workspaces')
  @IdempotentWrite()
  @AccountOperation({
    id: 'addWorkspace',
    summary: 'Create a workspace with any plan and billing customer',
    description: 'The billing customer connects the workspace with the events of the payment processor.',
    status: 201,
    response: OneOperatorWorkspace,
    errors: ['SLUG_TAKEN', 'NAME_TAKEN'],
    sample: { body: { slug: 'demo-second', displayName: 'Demo Second', plan: 'pro', status: 'active' } },
  })
  addWorkspace(
    @Param('organizationId') id: string,
    @Body() body: AddWorkspaceRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneOperatorWorkspace> {
    return this.operatorWorkspaces.create(write, id, body);
  }

  @Get('workspaces/:workspaceId')
  @AccountOperation({
    id: 'getWorkspaceAsOperator',
    summary: 'Get a workspace',
    description: 'Returns any workspace of the installation.',
    response: OneOperatorWorkspace,
    sample: { values: { workspaceId: { get: '/api/workspaces?limit=1' } } },
  })
  workspace(@Param('workspaceId') id: string): Promise<OneOperatorWorkspace> {
    return this.operatorWorkspaces.getAcrossTenants(id);
  }

  @Patch('workspaces/:workspaceId')
  @IdempotentWrite()
  @AccountOperation({
    id: 'setWorkspace',
    summary: 'Update the plan, status, billing customer, name or slug of a workspace',
    description: 'A locked workspace sends nothing.',
    response: OneOperatorWorkspace,
    errors: ['SLUG_TAKEN', 'NAME_TAKEN'],
    sample: {
      body: { displayName: 'Demo Main', status: 'active' },
      values: { workspaceId: { get: '/api/workspaces?limit=1' } },
    },
  })
  setWorkspace(
    @Param('workspaceId') id: string,
    @Body() body: SetWorkspaceRequest,
    @CurrentWrite() write: Write,
  ): Promise<OneOperatorWorkspace> {
    return this.operatorWorkspaces.update(write, id, body);
  }

  @Post('workspaces/:workspaceId/credits')
  @IdempotentWrite()
  @AccountOperation({
    id: 'grantCredits',
    summary: 'Add or remove credits of a workspace',
    description: 'The change is an entry of the ledger. A balance cannot become negative.',
    status: 201,
    response: OneGrant,
    errors: ['INSUFFICIENT_CREDITS', 'STATE_CONFLICT'],
    sample: {
      body: { creditType: 'sms', amount: 1000, reference: 'order-4711' },
      values: { workspaceId: { get: '/api/workspaces?limit=1' } },
    },
  })
  grant(@Param('workspaceId') id: string, @Body() body: GrantRequest, @CurrentWrite() write: Write): Promise<OneGrant> {
    return this.operatorWorkspaces.grant(write, id, body);
  }

  @Post('api-keys')
  @IdempotentWrite({ sealed: true })
  @AccountOperation({
    id: 'createApiKeyAsOperator',
    summary: 'Create an API key with or without an organization',
    description: 'The key is in this response only.',
    status: 201,
    response: NewKey,
    errors: ['NAME_TAKEN'],
  })
  createKey(@Body() body: OperatorKeyRequest, @CurrentWrite() write: Write): Promise<NewKey> {
    return this.organizations.createKey(write, body);
  }
}
