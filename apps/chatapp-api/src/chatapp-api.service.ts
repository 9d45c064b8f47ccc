import { AuthModule, authEntities, authMigrations } from '@heliograph/auth';
import { chatappEntities, chatappMigrations } from '@heliograph/chatapp-messages';
import { creditsEntities, creditsMigrations } from '@heliograph/credits';
import { DatabaseModule } from '@heliograph/database';
import { idempotencyEntities, idempotencyMigrations } from '@heliograph/idempotency';
import { messagingEntities, messagingMigrations, MessagingModule } from '@heliograph/messaging';
import type { ServiceDefinition } from '@heliograph/platform';
import { tenancyEntities, tenancyMigrations } from '@heliograph/tenancy';
import { AppModule } from './app.module';
import { loadChatappApiSettings, type ChatappApiSettings } from './chatapp-api.config';

const name = 'chatapp-api';

/** The chat-app service, as production, the local stack and the tests start it. */
export const chatappApi: ServiceDefinition<ChatappApiSettings> = {
  name,
  title: 'Chat-app API',
  description: 'Messages through one shared business account of a chat app: text, templates, media, interactive.',
  version: '1.0.0',
  // 90 MB over a line of 50 kB a second; one that stands still is cut long before.
  requestTimeoutMs: 30 * 60_000,
  loadSettings: loadChatappApiSettings,
  migrations: [
    tenancyMigrations,
    authMigrations,
    messagingMigrations,
    creditsMigrations,
    idempotencyMigrations,
    chatappMigrations,
  ],
  imports: (settings, log) => [
    DatabaseModule.forRoot(settings, name, [
      ...tenancyEntities,
      ...authEntities,
      ...messagingEntities,
      ...creditsEntities,
      ...idempotencyEntities,
      ...chatappEntities,
    ]),
    MessagingModule.forRoot({ settings, applicationName: name, log, relays: settings.ROLE !== 'api' }),
    AuthModule,
    AppModule.forRoot(settings),
  ],
};
