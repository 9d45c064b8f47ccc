import { authMigrations, keyRouteFacts } from '@heliograph/auth';
import { chatappMigrations } from '@heliograph/chatapp-messages';
import { creditsMigrations } from '@heliograph/credits';
import { DatabaseModule } from '@heliograph/database';
import { idempotencyMigrations } from '@heliograph/idempotency';
import { messagingMigrations, MessagingModule } from '@heliograph/messaging';
import { personsMigrations, tenancyMigrations } from '@heliograph/tenancy';
import type { ServiceDefinition } from '@heliograph/service-kit';
import { usersMigrations } from '@heliograph/users';
import { AppModule } from './app.module';
import { chatappApiConfigSchema, loadChatappApiConfig, type ChatappApiConfig } from './chatapp-api.config';
import { databaseAccess } from './database-access';

const name = 'chatapp-api';

/** The definition of the chat-app API, used by production, the local stack and the tests. */
export const chatappApi: ServiceDefinition<ChatappApiConfig> = {
  name,
  title: 'Chat-app API',
  description: 'Send text, template, media and interactive messages through one shared business account of a chat app.',
  version: '1.0.0',
  servesV1: true,
  // An upload of 90 MB at 50 kB/s takes 30 minutes. A stalled upload is aborted much earlier.
  requestTimeoutMs: 30 * 60_000,
  configSchema: chatappApiConfigSchema,
  loadConfig: loadChatappApiConfig,
  migrations: [
    tenancyMigrations,
    usersMigrations,
    authMigrations,
    messagingMigrations,
    creditsMigrations,
    idempotencyMigrations,
    personsMigrations,
    chatappMigrations,
  ],
  access: databaseAccess,
  callsPerMinute: ({ MESSAGING_RATE_PER_MINUTE }) => MESSAGING_RATE_PER_MINUTE,
  factsOf: keyRouteFacts,
  imports: (config, log) => [
    DatabaseModule.forRoot(config, name),
    MessagingModule.forRoot({ config, applicationName: name, log, relays: config.ROLE !== 'api' }),
    AppModule,
  ],
};
