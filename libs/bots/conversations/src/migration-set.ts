import { botCatalogEntities, botCatalogMigrations } from '@heliograph/bot-catalog';
import type { MigrationSet } from '@heliograph/database';
import { Contact } from './entities/contact.entity';
import { Conversation } from './entities/conversation.entity';
import { ConversationMessage } from './entities/message.entity';
import { ModelUse } from './entities/model-use.entity';
import { Submission } from './entities/submission.entity';
import { BotConversations1700000000001 } from './migrations/1700000000001-bot-conversations';
import putContact from './sql/put-contact.sql';
import recordTurns from './sql/record-turns.sql';
import turnType from './sql/turn-type.sql';

/** The catalog shares the schema: one set, in one order. */
export const botMigrations: MigrationSet = {
  schema: 'bots',
  migrations: [...botCatalogMigrations.migrations, BotConversations1700000000001],
  repeatable: [
    { name: 'turn-type', sql: turnType },
    { name: 'put-contact', sql: putContact },
    { name: 'record-turns', sql: recordTurns },
  ],
};
export const botEntities = [...botCatalogEntities, Conversation, ConversationMessage, Contact, Submission, ModelUse];
