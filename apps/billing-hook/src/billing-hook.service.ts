import { billingEntities, billingMigrations } from '@heliograph/billing';
import { MAIL_QUEUE, mailRequested } from '@heliograph/contracts';
import { creditsEntities, creditsMigrations } from '@heliograph/credits';
import { DatabaseModule } from '@heliograph/database';
import { messagingEntities, messagingMigrations, MessagingModule } from '@heliograph/messaging';
import type { ServiceDefinition } from '@heliograph/platform';
import { tenancyEntities, tenancyMigrations } from '@heliograph/tenancy';
import { usersEntities, usersMigrations } from '@heliograph/users';
import { AppModule } from './app.module';
import { PaymentsController } from './receiving/payments.controller';
import { loadBillingHookSettings, type BillingHookSettings } from './billing-hook.config';

const name = 'billing-hook';

/** The payment receiver, as production, the local stack and the tests start it. */
export const billingHook: ServiceDefinition<BillingHookSettings> = {
  name,
  title: 'Payment receiver',
  description: 'Takes the events of the payment processor and keeps plans, locks, invoices and bought credits true.',
  version: '1.0.0',
  loadSettings: loadBillingHookSettings,
  migrations: [tenancyMigrations, usersMigrations, messagingMigrations, creditsMigrations, billingMigrations],
  // The processor sends in bursts and waits for no more than seconds: the way to the controller is kept short.
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
      keeps: [{ name: MAIL_QUEUE, bindings: [mailRequested.type] }],
    }),
    AppModule.forRoot(settings),
  ],
};
