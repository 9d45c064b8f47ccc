import { Module } from '@nestjs/common';
import { IdempotencyModule } from '@heliograph/idempotency';
import { MessagesModule } from '../messages/messages.module';
import { SoapController } from './soap.controller';

@Module({ imports: [IdempotencyModule, MessagesModule], controllers: [SoapController] })
export class SoapModule {}
