import { Module } from '@nestjs/common';
import { PersonsModule } from '@heliograph/tenancy';
import { MessagesModule } from '../messages/messages.module';
import { ErasureConsumer } from './erasure.consumer';

@Module({ imports: [PersonsModule, MessagesModule], providers: [ErasureConsumer] })
export class ErasureModule {}
