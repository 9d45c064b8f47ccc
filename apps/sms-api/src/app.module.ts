import { Module } from '@nestjs/common';
import { AuthModule } from '@heliograph/auth';
import { SmsCampaignsModule } from './campaigns/campaigns.module';
import { CatalogModule } from './catalog/catalog.module';
import { ErasureModule } from './erasure/erasure.module';
import { MessagesModule } from './messages/messages.module';
import { SendingModule } from './sending/sending.module';
import { SoapModule } from './soap/soap.module';
import { V1Module } from './v1/v1.module';

@Module({
  imports: [
    AuthModule,
    MessagesModule,
    CatalogModule,
    SoapModule,
    SendingModule,
    ErasureModule,
    V1Module,
    SmsCampaignsModule,
  ],
})
export class AppModule {}
