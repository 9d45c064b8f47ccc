import { Module } from '@nestjs/common';
import { AuthModule } from '@heliograph/auth';
import { CatalogModule } from './catalog/catalog.module';
import { DomainsModule } from './domains/domains.module';
import { MessagesModule } from './messages/messages.module';
import { ReturnsModule } from './returns/returns.module';
import { SendingModule } from './sending/sending.module';
import { SystemMailModule } from './system-mail/system-mail.module';
import { TrackingModule } from './tracking/tracking.module';

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
  ],
})
export class AppModule {}
