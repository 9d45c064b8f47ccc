import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { UnitOfWorkModule } from '@heliograph/tenancy';
import { AccessModule } from './access/access.module';
import { AnalyticsModule } from './analytics/analytics.module';
import { ApiKeysModule } from './api-keys/api-keys.module';
import { AuditLogModule } from './audit-log/audit-log.module';
import { AuthModule } from './auth/auth.module';
import { BillingModule } from './billing/billing.module';
import { BotsModule } from './bots/bots.module';
import { ChatappModule } from './chatapp/chatapp.module';
import { ConsoleModule } from './console/console.module';
import { ContactsModule } from './contacts/contacts.module';
import { CreditsModule } from './credits/credits.module';
import { EmailModule } from './email/email.module';
import { ErasureModule } from './erasure/erasure.module';
import { EnvelopeInterceptor } from './http/envelope';
import { InboxModule } from './inbox/inbox.module';
import { InvitationsModule } from './invitations/invitations.module';
import { MembersModule } from './members/members.module';
import { OrganizationModule } from './organization/organization.module';
import { OperatorModule } from './operator/operator.module';
import { QuoteModule } from './quote/quote.module';
import { ReportsModule } from './reports/reports.module';
import { SelfServiceModule } from './self-service/self-service.module';
import { SmsModule } from './sms/sms.module';
import { TimelineModule } from './timeline/timeline.module';
import { V1AuthModule } from './v1-auth/v1-auth.module';
import { V1CreditsModule } from './v1-credits/v1-credits.module';
import { V1ReferenceModule } from './v1/v1-reference.module';
import { WebhooksModule } from './webhooks/webhooks.module';
import { WorkspacesModule } from './workspaces/workspaces.module';

@Module({
  imports: [
    UnitOfWorkModule,
    AccessModule,
    AuthModule,
    V1AuthModule,
    SelfServiceModule,
    ConsoleModule,
    WorkspacesModule,
    OrganizationModule,
    MembersModule,
    InvitationsModule,
    AuditLogModule,
    ApiKeysModule,
    CreditsModule,
    V1CreditsModule,
    BillingModule,
    SmsModule,
    EmailModule,
    ChatappModule,
    BotsModule,
    InboxModule,
    ContactsModule,
    TimelineModule,
    QuoteModule,
    AnalyticsModule,
    ReportsModule,
    V1ReferenceModule,
    OperatorModule,
    WebhooksModule,
    ErasureModule,
  ],
  providers: [{ provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor }],
})
export class AppModule {}
