import type { MigrationSet } from '@heliograph/database';
import { BotArticle } from './entities/bot-article.entity';
import { Bot } from './entities/bot.entity';
import { BotFaq } from './entities/bot-faq.entity';
import { BotForm } from './entities/bot-form.entity';
import { BotShortcut } from './entities/bot-shortcut.entity';
import { BotVersion } from './entities/bot-version.entity';
import { BotCatalog1700000000000 } from './migrations/1700000000000-bot-catalog';
import { BotConversations1700000000001 } from './migrations/1700000000001-bot-conversations';
import { BotMessageOrigins1700000000101 } from './migrations/1700000000101-bot-message-origins';

/** All tables of the schema. Its functions are in the migration set of the code that calls them. */
export const botCatalogMigrations: MigrationSet = {
  schema: 'bots',
  migrations: [BotCatalog1700000000000, BotConversations1700000000001, BotMessageOrigins1700000000101],
};
export const botCatalogEntities = [Bot, BotVersion, BotFaq, BotArticle, BotShortcut, BotForm];
