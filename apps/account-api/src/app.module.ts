import { Module } from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import { UnitOfWorkModule } from '@heliograph/tenancy';
import { AccessModule } from './access/access.module';
import { AudienceModule } from './audience/audience.module';
import { BotsAndInboxModule } from './bots-and-inbox/bots-and-inbox.module';
import { ChannelsModule } from './channels/channels.module';
import { ConsoleModule } from './console/console.module';
import { DeveloperModule } from './developer/developer.module';
import { EnvelopeInterceptor } from './http/envelope';
import { IdentityModule } from './identity/identity.module';
import { InsightModule } from './insight/insight.module';
import { MoneyModule } from './money/money.module';
import { OperatorModule } from './operator/operator.module';
import { TestModeModule } from './test-mode/test-mode.module';

@Module({
  imports: [
    UnitOfWorkModule,
    AccessModule,
    IdentityModule,
    DeveloperModule,
    ChannelsModule,
    BotsAndInboxModule,
    AudienceModule,
    MoneyModule,
    InsightModule,
    OperatorModule,
    TestModeModule,
    ConsoleModule,
  ],
  providers: [{ provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor }],
})
export class AppModule {}
