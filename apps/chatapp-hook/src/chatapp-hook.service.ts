import { chatappEntities, chatappMigrations } from '@heliograph/chatapp-messages';
import { creditsEntities, creditsMigrations } from '@heliograph/credits';
import { DatabaseModule } from '@heliograph/database';
import { idempotencyEntities, idempotencyMigrations } from '@heliograph/idempotency';
import { messagingEntities, messagingMigrations, MessagingModule } from '@heliograph/messaging';
import type { ServiceDefinition } from '@heliograph/platform';
import { tenancyEntities, tenancyMigrations } from '@heliograph/tenancy';
import { AppModule } from './app.module';
import { loadChatappHookSettings, type ChatappHookSettings } from './chatapp-hook.config';
import { WebhookController } from './webhook.controller';

const name = 'chatapp-hook';

/** The chat-app receiver, as production, the local stack and the tests start it. */
export const chatappHook: ServiceDefinition<ChatappHookSettings> = {
  name,
  title: 'Chat-app receiver',
  description: 'Takes inbound messages and delivery statuses of the chat-app platform.',
  version: '1.0.0',
  loadSettings: loadChatappHookSettings,
  migrations: [tenancyMigrations, messagingMigrations, creditsMigrations, idempotencyMigrations, chatappMigrations],
  // The platform counts the milliseconds, and slows down towards who is slow: the way to the controller is kept short.
  hotRoutes: (app) => {
    const webhook = app.get(WebhookController, { strict: false });
    return [
      {
        method: 'POST',
        path: '/api/chatapp/webhook',
        serve: (request, response) => webhook.receive(request, response),
      },
    ];
  },
  imports: (settings, log) => [
    DatabaseModule.forRoot(settings, name, [
      ...tenancyEntities,
      ...messagingEntities,
      ...creditsEntities,
      ...idempotencyEntities,
      ...chatappEntities,
    ]),
    MessagingModule.forRoot({ settings, applicationName: name, log, relays: settings.ROLE !== 'api' }),
    AppModule.forRoot(settings),
  ],
};
