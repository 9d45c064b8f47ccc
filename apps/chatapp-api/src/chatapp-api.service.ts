import { AuthModule, authEntities, authMigrations } from '@heliograph/auth';
import { chatappEntities, chatappMigrations } from '@heliograph/chatapp-messages';
import { creditsEntities, creditsMigrations } from '@heliograph/credits';
import { DatabaseModule } from '@heliograph/database';
import { idempotencyEntities, idempotencyMigrations } from '@heliograph/idempotency';
import { messagingEntities, messagingMigrations, MessagingModule } from '@heliograph/messaging';
import type { ServiceDefinition } from '@heliograph/service-kit';
import { tenancyEntities, tenancyMigrations } from '@heliograph/tenancy';
import { AppModule } from './app.module';
import { loadChatappApiConfig, type ChatappApiConfig } from './chatapp-api.config';

const name = 'chatapp-api';

/** The chat-app API, as production, the local stack and the tests start it. */
export const chatappApi: ServiceDefinition<ChatappApiConfig> = {
  name,
  title: 'Chat-app API',
  description: 'Send text, template, media and interactive messages through one shared business account of a chat app.',
  version: '1.0.0',
  // 90 MB at 50 kB/s take 30 minutes. A stalled upload is cut much earlier.
  requestTimeoutMs: 30 * 60_000,
  loadSettings: loadChatappApiConfig,
  migrations: [
    tenancyMigrations,
    authMigrations,
    messagingMigrations,
    creditsMigrations,
    idempotencyMigrations,
    chatappMigrations,
  ],
  imports: (config, log) => [
    DatabaseModule.forRoot(config, name, [
      ...tenancyEntities,
      ...authEntities,
      ...messagingEntities,
      ...creditsEntities,
      ...idempotencyEntities,
      ...chatappEntities,
    ]),
    MessagingModule.forRoot({ settings: config, applicationName: name, log, relays: config.ROLE !== 'api' }),
    AuthModule,
    AppModule.forRoot(config),
  ],
};
