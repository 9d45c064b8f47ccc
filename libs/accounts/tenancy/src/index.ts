export { tenancyEntities, tenancyMigrations } from './migration-set';
export { Organization } from './organization.entity';
export { TenancyModule } from './tenancy.module';
export { checkDisplayName, SLUG } from './tenancy-rules';
export { TenancyService, type Changed, type OrganizationDetails, type WorkspaceDetails } from './tenancy.service';
export { WorkspaceDirectory, type WorkspaceOwner } from './workspace-directory';
export { Workspace, WORKSPACE_STATUSES, type WorkspaceStatus } from './workspace.entity';
