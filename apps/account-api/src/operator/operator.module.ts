import { Module } from '@nestjs/common';
import { SmsCatalogModule } from '@heliograph/sms-catalog';
import { TenancyModule } from '@heliograph/tenancy';
import { UsersModule } from '@heliograph/users';
import { ApiKeysModule } from '../developer/api-keys/api-keys.module';
import { OrganizationModule } from '../identity/organization/organization.module';
import { UnverifiedAccountsModule } from '../identity/unverified-accounts/unverified-accounts.module';
import { WorkspacesModule } from '../identity/workspaces/workspaces.module';
import { OperatorWorkspacesService } from './operator-workspaces.service';
import { OrganizationsController } from './organizations.controller';
import { OrganizationsService } from './organizations.service';
import { ReviewsController } from './reviews.controller';
import { ReviewsService } from './reviews.service';

/** Endpoints of the operator. */
@Module({
  imports: [
    TenancyModule,
    UsersModule,
    SmsCatalogModule,
    OrganizationModule,
    WorkspacesModule,
    ApiKeysModule,
    UnverifiedAccountsModule,
  ],
  controllers: [OrganizationsController, ReviewsController],
  providers: [OrganizationsService, OperatorWorkspacesService, ReviewsService],
})
export class OperatorModule {}
