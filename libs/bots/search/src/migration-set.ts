import type { MigrationSet } from '@heliograph/database';
import find from './finding/sql/find.sql';
import put from './indexing/sql/put.sql';
import remove from './indexing/sql/remove.sql';
import { BotSearch1700000000000 } from './migrations/1700000000000-bot-search';

export const botSearchMigrations: MigrationSet = {
  schema: 'bot_search',
  migrations: [BotSearch1700000000000],
  repeatable: [
    { name: 'remove', sql: remove },
    { name: 'put', sql: put },
    { name: 'find', sql: find },
  ],
};
