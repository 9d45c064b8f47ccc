import { creditsMigrations } from '@heliograph/credits';
import { DatabaseModule } from '@heliograph/database';
import { messagingMigrations, MessagingModule } from '@heliograph/messaging';
import type { ServiceDefinition } from '@heliograph/service-kit';
import { systemMailMigrations } from '@heliograph/system-mail';
import { tenancyMigrations } from '@heliograph/tenancy';
import { usersMigrations } from '@heliograph/users';
import { AppModule } from './app.module';
import { billingHookConfigSchema, loadBillingHookConfig, type BillingHookConfig } from './billing-hook.config';
import { databaseAccess } from './database-access';
import { billingMigrations } from './migration-set';

const name = 'billing-hook';

/** Definition of the billing hook, used in production, in the local stack and in tests. */
export const billingHook: ServiceDefinition<BillingHookConfig> = {
  name,
  title: 'Billing hook',
  description: 'Receives the events of the payment processor and updates plans, locks, invoices and purchased credits.',
  version: '1.0.0',
  configSchema: billingHookConfigSchema,
  loadConfig: loadBillingHookConfig,
  migrations: [
    tenancyMigrations,
    usersMigrations,
    messagingMigrations,
    creditsMigrations,
    systemMailMigrations,
    billingMigrations,
  ],
  access: databaseAccess,
  imports: (config, log) => [
    DatabaseModule.forRoot(config, name),
    MessagingModule.forRoot({
      config,
      applicationName: name,
      log,
      relays: config.ROLE !== 'api',
      jobSources: ['payments', 'receipts'],
    }),
    AppModule,
  ],
};
