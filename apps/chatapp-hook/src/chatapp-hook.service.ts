import { chatappMigrations } from '@heliograph/chatapp-messages';
import { creditsMigrations } from '@heliograph/credits';
import { DatabaseModule } from '@heliograph/database';
import { idempotencyMigrations } from '@heliograph/idempotency';
import { messagingMigrations, MessagingModule } from '@heliograph/messaging';
import type { ServiceDefinition } from '@heliograph/service-kit';
import { HUB_SIGNATURE_HEADER } from '@heliograph/webhook-signatures';
import { tenancyMigrations } from '@heliograph/tenancy';
import { AppModule } from './app.module';
import { loadChatappHookConfig, type ChatappHookConfig } from './chatapp-hook.config';
import { MAX_BODY_BYTES, WebhookController } from './receiving/webhook.controller';
import { databaseAccess } from './database-access';

const name = 'chatapp-hook';

/** The definition of the chat-app receiver, used by production, the local stack and the tests. */
export const chatappHook: ServiceDefinition<ChatappHookConfig> = {
  name,
  title: 'Chat-app receiver',
  description: 'Receives inbound messages and delivery statuses from the chat-app provider.',
  version: '1.0.0',
  loadConfig: loadChatappHookConfig,
  migrations: [tenancyMigrations, messagingMigrations, creditsMigrations, idempotencyMigrations, chatappMigrations],
  // The provider throttles slow receivers, so this route bypasses the middlewares of Express and Nest.
  hotRoutes: (app) => {
    const webhook = app.get(WebhookController, { strict: false });
    return [
      {
        method: 'POST',
        path: '/api/chatapp/webhook',
        maxBytes: MAX_BODY_BYTES,
        serve: (body, header, requestId) => webhook.receive(header(HUB_SIGNATURE_HEADER), body, requestId),
      },
    ];
  },
  access: databaseAccess,
  imports: (config, log) => [
    DatabaseModule.forRoot(config, name),
    MessagingModule.forRoot({ config, applicationName: name, log, relays: config.ROLE !== 'api' }),
    AppModule,
  ],
};
