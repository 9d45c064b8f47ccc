import { botEntities, botMigrations } from '@heliograph/bot-conversations';
import { botSearchEntities, botSearchMigrations } from '@heliograph/bot-search';
import { DatabaseModule } from '@heliograph/database';
import { idempotencyEntities, idempotencyMigrations } from '@heliograph/idempotency';
import { messagingEntities, messagingMigrations, MessagingModule } from '@heliograph/messaging';
import type { ServiceDefinition } from '@heliograph/platform';
import { AppModule } from './app.module';
import { loadBotRuntimeSettings, type BotRuntimeSettings } from './bot-runtime.config';
import { chatErrorBody, describeVisitors } from './chat.openapi';

const name = 'bot-runtime';

/** The bots' runtime, as production, the local stack and the tests start it. */
export const botRuntime: ServiceDefinition<BotRuntimeSettings> = {
  name,
  title: 'Bot runtime',
  description: 'What visitors of a bot meet: the widget, the hosted page, and the conversations behind both.',
  version: '1.0.0',
  loadSettings: loadBotRuntimeSettings,
  migrations: [messagingMigrations, idempotencyMigrations, botMigrations, botSearchMigrations],
  errorBody: chatErrorBody,
  describeSecurity: describeVisitors,
  imports: (settings, log) => [
    DatabaseModule.forRoot(settings, name, [
      ...messagingEntities,
      ...idempotencyEntities,
      ...botEntities,
      ...botSearchEntities,
    ]),
    MessagingModule.forRoot({ settings, applicationName: name, log, relays: settings.ROLE !== 'api' }),
    AppModule.forRoot(settings),
  ],
};
