import { Module } from '@nestjs/common';
import { AuthModule } from '@heliograph/auth';
import { EmailCampaignsModule } from './campaigns/campaigns.module';
import { CatalogModule } from './catalog/catalog.module';
import { DomainsModule } from './domains/domains.module';
import { ErasureModule } from './erasure/erasure.module';
import { MessagesModule } from './messages/messages.module';
import { ReturnsModule } from './returns/returns.module';
import { SendingModule } from './sending/sending.module';
import { SystemMailModule } from './system-mail/system-mail.module';
import { TrackingModule } from './tracking/tracking.module';
import { V1Module } from './v1/v1.module';

@Module({
  imports: [
    AuthModule,
    MessagesModule,
    CatalogModule,
    TrackingModule,
    SendingModule,
    SystemMailModule,
    ReturnsModule,
    DomainsModule,
    ErasureModule,
    V1Module,
    EmailCampaignsModule,
  ],
})
export class AppModule {}
