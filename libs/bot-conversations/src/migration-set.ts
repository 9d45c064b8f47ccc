import { botCatalogEntities, botCatalogMigrations } from '@heliograph/bot-catalog';
import type { MigrationSet } from '@heliograph/database';
import { Contact } from './entities/contact.entity';
import { Conversation } from './entities/conversation.entity';
import { ConversationMessage } from './entities/message.entity';
import { ModelUse } from './entities/model-use.entity';
import { Submission } from './entities/submission.entity';
import { BotConversations1700000000001 } from './migrations/1700000000001-bot-conversations';
import { ModelUses1700000000002 } from './migrations/1700000000002-model-uses';

/** The catalog shares the schema, and so the list of what has been run: one set, in one order. */
export const botMigrations: MigrationSet = {
  schema: 'bots',
  migrations: [...botCatalogMigrations.migrations, BotConversations1700000000001, ModelUses1700000000002],
};
export const botEntities = [...botCatalogEntities, Conversation, ConversationMessage, Contact, Submission, ModelUse];
