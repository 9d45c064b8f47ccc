export {
  DEFAULT_COLOR,
  type AvailableBot,
  type AvailableForm,
  type AvailableShortcut,
  type Branding,
  type Suggestion,
} from './available-bot';
export { readBot, type BotKey } from './bot-access';
export { BotCatalogModule } from './bot-catalog.module';
export { BotCatalogService, type BotHome, type BotWithVersion, type Publication } from './bot-catalog.service';
export { BotContentService, type PutResult } from './bot-content.service';
export type { BotChanges, BotDetails } from './bot-details';
export { BotDirectory } from './bot-directory';
export { cleanAddress, cleanLine, cleanText } from './clean-text';
export { ARTICLES, MAX_BODY_LENGTH, type ArticleDetails } from './content/articles';
export type { ContentKind } from './content/content-kind';
export { FAQS, MAX_ANSWER_LENGTH, MAX_LABEL_LENGTH, MAX_QUESTION_LENGTH, type FaqDetails } from './content/faqs';
export { FORMS, type FieldDetails, type FormDetails } from './content/forms';
export { SHORTCUTS, type ShortcutDetails } from './content/shortcuts';
export { BotArticle } from './entities/bot-article.entity';
export { BotFaq } from './entities/bot-faq.entity';
export { BotForm } from './entities/bot-form.entity';
export { BotShortcut } from './entities/bot-shortcut.entity';
export { BotVersion } from './entities/bot-version.entity';
export { Bot, BOT_STATUSES, type BotStatus } from './entities/bot.entity';
export { LiveItem } from './entities/live-item';
export { FIELD_TYPES, type FieldType, type FormField } from './form-field';
export { botCatalogEntities, botCatalogMigrations } from './migration-set';
export { colorOf, readSettings, type BotSettings, type HandoffSettings, type LanguageModelSettings } from './settings';
export { welcomeText } from './welcome-text';
