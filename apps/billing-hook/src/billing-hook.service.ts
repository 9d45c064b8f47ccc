import { billingMigrations } from '@heliograph/billing';
import { MAIL_QUEUE, mailRequested } from '@heliograph/contracts';
import { creditsMigrations } from '@heliograph/credits';
import { DatabaseModule } from '@heliograph/database';
import { messagingMigrations, MessagingModule } from '@heliograph/messaging';
import type { ServiceDefinition } from '@heliograph/service-kit';
import { systemMailMigrations } from '@heliograph/system-mail';
import { tenancyMigrations } from '@heliograph/tenancy';
import { usersMigrations } from '@heliograph/users';
import { PROCESSOR_SIGNATURE_HEADER } from '@heliograph/webhook-signatures';
import { AppModule } from './app.module';
import { loadBillingHookConfig, type BillingHookConfig } from './billing-hook.config';
import { MAX_BODY_BYTES, PaymentsController } from './receiving/payments.controller';
import { ReceiveService } from './receiving/receive.service';
import { databaseAccess } from './database-access';

const name = 'billing-hook';

/** Definition of the billing hook, used in production, in the local stack and in tests. */
export const billingHook: ServiceDefinition<BillingHookConfig> = {
  name,
  title: 'Billing hook',
  description: 'Receives the events of the payment processor and updates plans, locks, invoices and purchased credits.',
  version: '1.0.0',
  loadConfig: loadBillingHookConfig,
  migrations: [
    tenancyMigrations,
    usersMigrations,
    messagingMigrations,
    creditsMigrations,
    systemMailMigrations,
    billingMigrations,
  ],
  // The processor sends bursts and times out after a few seconds, so this route bypasses the middlewares of Express and Nest.
  hotRoutes: (app) => {
    const payments = app.get(PaymentsController, { strict: false });
    const events = app.get(ReceiveService, { strict: false });
    return [
      {
        method: 'POST',
        path: '/api/webhooks/payments',
        maxBytes: MAX_BODY_BYTES,
        assertOpen: () => events.assertConfigured(),
        serve: (body, header, requestId) => payments.receive(header(PROCESSOR_SIGNATURE_HEADER), body, requestId),
      },
    ];
  },
  access: databaseAccess,
  imports: (config, log) => [
    DatabaseModule.forRoot(config, name),
    MessagingModule.forRoot({
      config,
      applicationName: name,
      log,
      relays: config.ROLE !== 'api',
      declaredQueues: [{ name: MAIL_QUEUE, bindings: [mailRequested.type] }],
    }),
    AppModule,
  ],
};
