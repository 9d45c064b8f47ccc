import { Module } from '@nestjs/common';
import { BotsModule } from './bots/bots.module';
import { InboxModule } from './inbox/inbox.module';

/** Bots, and the conversations that agents answer. */
@Module({ imports: [BotsModule, InboxModule] })
export class BotsAndInboxModule {}
