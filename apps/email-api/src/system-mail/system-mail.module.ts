import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module';
import { SystemMailConsumer } from './system-mail.consumer';

@Module({ imports: [MessagesModule], providers: [SystemMailConsumer] })
export class SystemMailModule {}
