import { Module } from '@nestjs/common';
import { AuthModule } from '@heliograph/auth';
import { CatalogModule } from './catalog/catalog.module';
import { MessagesModule } from './messages/messages.module';
import { SendingModule } from './sending/sending.module';
import { SoapModule } from './soap/soap.module';

@Module({ imports: [AuthModule, MessagesModule, CatalogModule, SoapModule, SendingModule] })
export class AppModule {}
