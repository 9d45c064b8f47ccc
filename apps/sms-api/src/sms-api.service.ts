import { auditMigrations, tenancyMigrations, personsMigrations } from '@heliograph/tenancy';
import { authMigrations, keyRouteFacts } from '@heliograph/auth';
import { campaignsMigrations } from '@heliograph/campaigns';
import { contactsMigrations } from '@heliograph/contacts';
import { creditsMigrations } from '@heliograph/credits';
import { DatabaseModule, partitionsMigrations } from '@heliograph/database';
import { idempotencyMigrations } from '@heliograph/idempotency';
import { messagingMigrations, MessagingModule } from '@heliograph/messaging';
import type { ServiceDefinition } from '@heliograph/service-kit';
import { usersMigrations } from '@heliograph/users';
import { AppModule } from './app.module';
import { smsMigrations } from './migration-set';
import { smsApiConfigSchema, loadSmsApiConfig, type SmsApiConfig } from './sms-api.config';
import { databaseAccess } from './database-access';

const name = 'sms-api';

/** The definition of the SMS service, used by production, the local stack and the tests. */
export const smsApi: ServiceDefinition<SmsApiConfig> = {
  name,
  title: 'SMS API',
  description: 'Template-based, DLT-compliant SMS in four call styles: JSON, query string, form and SOAP.',
  version: '1.0.0',
  servesV1: true,
  configSchema: smsApiConfigSchema,
  loadConfig: loadSmsApiConfig,
  migrations: [
    tenancyMigrations,
    usersMigrations,
    authMigrations,
    auditMigrations,
    messagingMigrations,
    creditsMigrations,
    partitionsMigrations,
    idempotencyMigrations,
    personsMigrations,
    contactsMigrations,
    campaignsMigrations,
    smsMigrations,
  ],
  access: databaseAccess,
  callsPerMinute: ({ MESSAGING_RATE_PER_MINUTE }) => MESSAGING_RATE_PER_MINUTE,
  factsOf: keyRouteFacts,
  imports: (config, log) => [
    DatabaseModule.forRoot(config, name),
    MessagingModule.forRoot({
      config,
      applicationName: name,
      log,
      relays: config.ROLE !== 'api',
      jobSources: ['sms'],
    }),
    AppModule,
  ],
};
