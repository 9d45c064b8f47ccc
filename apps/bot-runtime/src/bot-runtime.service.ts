import { botMigrations } from '@heliograph/bot-conversations';
import { botSearchMigrations } from '@heliograph/bot-search';
import { DatabaseModule } from '@heliograph/database';
import { idempotencyMigrations } from '@heliograph/idempotency';
import { messagingMigrations, MessagingModule } from '@heliograph/messaging';
import { personsMigrations } from '@heliograph/tenancy';
import type { ServiceDefinition } from '@heliograph/service-kit';
import { AppModule } from './app.module';
import { botRuntimeConfigSchema, loadBotRuntimeConfig, type BotRuntimeConfig } from './bot-runtime.config';
import { chatErrorBody, describeVisitors } from './chat.openapi';
import { databaseAccess } from './database-access';
import { chatRouteFacts } from './limits/chat-limit.guard';

const name = 'bot-runtime';

/** The definition of the bot runtime, used by production, the local stack and the tests. */
export const botRuntime: ServiceDefinition<BotRuntimeConfig> = {
  name,
  title: 'Bot runtime',
  description: 'Serves the widget, the hosted pages and the conversations between visitors and bots.',
  version: '1.0.0',
  configSchema: botRuntimeConfigSchema,
  loadConfig: loadBotRuntimeConfig,
  migrations: [messagingMigrations, personsMigrations, idempotencyMigrations, botMigrations, botSearchMigrations],
  errorBody: chatErrorBody,
  // Widgets on web pages may be older or newer than the service.
  input: { ignoresUnknownFields: true },
  callsPerMinute: ({ BOT_READS_PER_MINUTE_PER_IP }) => BOT_READS_PER_MINUTE_PER_IP,
  factsOf: chatRouteFacts,
  describeSecurity: describeVisitors,
  access: databaseAccess,
  imports: (config, log) => [
    DatabaseModule.forRoot(config, name),
    MessagingModule.forRoot({ config, applicationName: name, log, relays: config.ROLE !== 'api' }),
    AppModule,
  ],
};
