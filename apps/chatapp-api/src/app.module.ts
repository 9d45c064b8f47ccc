import { Module } from '@nestjs/common';
import { AuthModule } from '@heliograph/auth';
import { ConsentsModule } from './consents/consents.module';
import { ErasureModule } from './erasure/erasure.module';
import { MediaModule } from './media/media.module';
import { MessagesModule } from './messages/messages.module';
import { TemplatesModule } from './templates/templates.module';

@Module({ imports: [AuthModule, MessagesModule, TemplatesModule, MediaModule, ConsentsModule, ErasureModule] })
export class AppModule {}
