import { auditMigrations, tenancyMigrations, personsMigrations } from '@heliograph/tenancy';
import { authMigrations, keyRouteFacts } from '@heliograph/auth';
import { campaignsMigrations } from '@heliograph/campaigns';
import { contactsMigrations } from '@heliograph/contacts';
import { creditsMigrations } from '@heliograph/credits';
import { DatabaseModule, partitionsMigrations } from '@heliograph/database';
import { idempotencyMigrations } from '@heliograph/idempotency';
import { messagingMigrations, MessagingModule } from '@heliograph/messaging';
import type { ServiceDefinition } from '@heliograph/service-kit';
import { systemMailMigrations } from '@heliograph/system-mail';
import { usersMigrations } from '@heliograph/users';
import { AppModule } from './app.module';
import { emailApiConfigSchema, loadEmailApiConfig, type EmailApiConfig } from './email-api.config';
import { emailMigrations } from './migration-set';
import { databaseAccess } from './database-access';

const name = 'email-api';

/** The definition of the email service, used by production, the local stack and the tests. */
export const emailApi: ServiceDefinition<EmailApiConfig> = {
  name,
  title: 'Email API',
  description: 'Transactional email with inline content or stored templates, and a delivery report for each recipient.',
  version: '1.0.0',
  servesV1: true,
  configSchema: emailApiConfigSchema,
  loadConfig: loadEmailApiConfig,
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
    systemMailMigrations,
    contactsMigrations,
    campaignsMigrations,
    emailMigrations,
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
      jobSources: ['email', 'system-mail'],
    }),
    AppModule,
  ],
};
