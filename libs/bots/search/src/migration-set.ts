import type { MigrationSet } from '@heliograph/database';
import { BotSearchBot } from './bot.entity';
import { BotSearchEntry } from './entry.entity';
import find from './finding/sql/find.sql';
import put from './indexing/sql/put.sql';
import remove from './indexing/sql/remove.sql';
import { BotSearchLexeme } from './lexeme.entity';
import { BotSearch1700000000000 } from './migrations/1700000000000-bot-search';
import { BotSearchPosting } from './posting.entity';
import { BotSearchWord } from './word.entity';

export const botSearchMigrations: MigrationSet = {
  schema: 'bot_search',
  migrations: [BotSearch1700000000000],
  repeatable: [
    { name: 'remove', sql: remove },
    { name: 'put', sql: put },
    { name: 'find', sql: find },
  ],
};
export const botSearchEntities = [BotSearchBot, BotSearchEntry, BotSearchLexeme, BotSearchPosting, BotSearchWord];
