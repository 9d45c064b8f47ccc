import { Module } from '@nestjs/common';
import { ErrorFilter } from '@heliograph/errors';
import { IdempotencyModule } from '@heliograph/idempotency';
import { MessagesModule } from '../messages/messages.module';
import { SoapController } from './soap.controller';
import { SoapErrorFilter } from './soap-error.filter';

@Module({
  imports: [IdempotencyModule, MessagesModule],
  controllers: [SoapController],
  providers: [{ provide: ErrorFilter, useClass: SoapErrorFilter }],
})
export class SoapModule {}
