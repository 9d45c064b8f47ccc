import { botCatalogEntities, botCatalogMigrations } from '@heliograph/bot-catalog';
import type { MigrationSet } from '@heliograph/database';
import { Contact } from './entities/contact.entity';
import { Conversation } from './entities/conversation.entity';
import { ConversationMessage } from './entities/message.entity';
import { Submission } from './entities/submission.entity';
import advanceClock from './sql/advance-clock.sql';
import putContact from './sql/put-contact.sql';
import recordTurns from './sql/record-turns.sql';
import turnType from './sql/turn-type.sql';

/** The tables of the catalog library and the functions of this library. */
export const botMigrations: MigrationSet = {
  ...botCatalogMigrations,
  repeatable: [
    { name: 'advance-clock', sql: advanceClock },
    { name: 'turn-type', sql: turnType },
    { name: 'put-contact', sql: putContact },
    { name: 'record-turns', sql: recordTurns },
  ],
};
export const conversationEntities = [Conversation, ConversationMessage, Contact, Submission];
export const botEntities = [...botCatalogEntities, ...conversationEntities];
