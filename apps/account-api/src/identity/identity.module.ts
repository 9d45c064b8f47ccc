import { Module } from '@nestjs/common';
import { AuditLogModule } from './audit-log/audit-log.module';
import { AuthModule } from './auth/auth.module';
import { DeviceLoginsModule } from './device-logins/device-logins.module';
import { InvitationsModule } from './invitations/invitations.module';
import { MembersModule } from './members/members.module';
import { OrganizationModule } from './organization/organization.module';
import { SelfServiceModule } from './self-service/self-service.module';
import { V1AuthModule } from './v1-auth/v1-auth.module';
import { WorkspacesModule } from './workspaces/workspaces.module';

/** Who calls: registration, sessions, members and what they did. */
@Module({
  imports: [
    AuthModule,
    V1AuthModule,
    DeviceLoginsModule,
    SelfServiceModule,
    WorkspacesModule,
    OrganizationModule,
    MembersModule,
    InvitationsModule,
    AuditLogModule,
  ],
})
export class IdentityModule {}
