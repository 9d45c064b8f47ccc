import type { MigrationSet } from '@heliograph/database';
import { BotArticle } from './entities/bot-article.entity';
import { Bot } from './entities/bot.entity';
import { BotFaq } from './entities/bot-faq.entity';
import { BotForm } from './entities/bot-form.entity';
import { BotShortcut } from './entities/bot-shortcut.entity';
import { BotVersion } from './entities/bot-version.entity';
import { BotCatalog1700000000000 } from './migrations/1700000000000-bot-catalog';

/** libs/bots/conversations keeps the conversations in the same schema; its set holds this migration too. */
export const botCatalogMigrations: MigrationSet = { schema: 'bots', migrations: [BotCatalog1700000000000] };
export const botCatalogEntities = [Bot, BotVersion, BotFaq, BotArticle, BotShortcut, BotForm];
