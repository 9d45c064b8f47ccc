import { chatappMigrations } from '@heliograph/chatapp-messages';
import { creditsMigrations } from '@heliograph/credits';
import { DatabaseModule } from '@heliograph/database';
import { idempotencyMigrations } from '@heliograph/idempotency';
import { messagingMigrations, MessagingModule } from '@heliograph/messaging';
import type { ServiceDefinition } from '@heliograph/service-kit';
import { tenancyMigrations } from '@heliograph/tenancy';
import { AppModule } from './app.module';
import { chatappHookConfigSchema, loadChatappHookConfig, type ChatappHookConfig } from './chatapp-hook.config';
import { databaseAccess } from './database-access';

const name = 'chatapp-hook';

/** The definition of the chat-app receiver, used by production, the local stack and the tests. */
export const chatappHook: ServiceDefinition<ChatappHookConfig> = {
  name,
  title: 'Chat-app receiver',
  description: 'Receives inbound messages and delivery statuses from the chat-app provider.',
  version: '1.0.0',
  configSchema: chatappHookConfigSchema,
  loadConfig: loadChatappHookConfig,
  migrations: [tenancyMigrations, messagingMigrations, creditsMigrations, idempotencyMigrations, chatappMigrations],
  access: databaseAccess,
  imports: (config, log) => [
    DatabaseModule.forRoot(config, name),
    MessagingModule.forRoot({ config, applicationName: name, log, relays: config.ROLE !== 'api' }),
    AppModule,
  ],
};
