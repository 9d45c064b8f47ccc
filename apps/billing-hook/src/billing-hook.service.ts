import { billingEntities, billingMigrations } from '@heliograph/billing';
import { MAIL_QUEUE, mailRequested } from '@heliograph/contracts';
import { creditsEntities, creditsMigrations } from '@heliograph/credits';
import { DatabaseModule } from '@heliograph/database';
import { messagingEntities, messagingMigrations, MessagingModule } from '@heliograph/messaging';
import type { ServiceDefinition } from '@heliograph/service-kit';
import { tenancyEntities, tenancyMigrations } from '@heliograph/tenancy';
import { usersEntities, usersMigrations } from '@heliograph/users';
import { AppModule } from './app.module';
import { PaymentsController } from './receiving/payments.controller';
import { loadBillingHookConfig, type BillingHookConfig } from './billing-hook.config';

const name = 'billing-hook';

/** Definition of the billing hook, used in production, in the local stack and in tests. */
export const billingHook: ServiceDefinition<BillingHookConfig> = {
  name,
  title: 'Billing hook',
  description: 'Receives the events of the payment processor and updates plans, locks, invoices and purchased credits.',
  version: '1.0.0',
  loadSettings: loadBillingHookConfig,
  migrations: [tenancyMigrations, usersMigrations, messagingMigrations, creditsMigrations, billingMigrations],
  // The processor sends bursts and times out after a few seconds, so the request path is kept short.
  hotRoutes: (app) => {
    const payments = app.get(PaymentsController, { strict: false });
    return [
      {
        method: 'POST',
        path: '/api/webhooks/payments',
        serve: (request, response) => payments.receive(request, response),
      },
    ];
  },
  imports: (settings, log) => [
    DatabaseModule.forRoot(settings, name, [
      ...tenancyEntities,
      ...usersEntities,
      ...messagingEntities,
      ...creditsEntities,
      ...billingEntities,
    ]),
    MessagingModule.forRoot({
      settings,
      applicationName: name,
      log,
      relays: settings.ROLE !== 'api',
      declaredQueues: [{ name: MAIL_QUEUE, bindings: [mailRequested.type] }],
    }),
    AppModule.forRoot(settings),
  ],
};
