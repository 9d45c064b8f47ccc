import { Module } from '@nestjs/common';
import { UsersModule } from '@heliograph/users';
import { OrganizationModule } from '../organization/organization.module';
import { UnverifiedAccountsModule } from '../unverified-accounts/unverified-accounts.module';
import { InvitationManagementService } from './invitation-management.service';
import { InvitationsController } from './invitations.controller';
import { JoiningController } from './joining.controller';
import { JoiningService } from './joining.service';

@Module({
  imports: [UnverifiedAccountsModule, UsersModule, OrganizationModule],
  controllers: [InvitationsController, JoiningController],
  providers: [InvitationManagementService, JoiningService],
  exports: [JoiningService],
})
export class InvitationsModule {}
