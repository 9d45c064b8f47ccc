import { AuthModule, authEntities, authMigrations } from '@heliograph/auth';
import { MAIL_QUEUE, mailRequested } from '@heliograph/contracts';
import { creditsEntities, creditsMigrations } from '@heliograph/credits';
import { DatabaseModule } from '@heliograph/database';
import { idempotencyEntities, idempotencyMigrations } from '@heliograph/idempotency';
import { messagingEntities, messagingMigrations, MessagingModule } from '@heliograph/messaging';
import type { ServiceDefinition } from '@heliograph/service-kit';
import { tenancyEntities, tenancyMigrations } from '@heliograph/tenancy';
import { AppModule } from './app.module';
import { loadEmailApiSettings, type EmailApiSettings } from './email-api.config';
import { emailEntities, emailMigrations } from './migration-set';

const name = 'email-api';

/** The definition of the email service, used by production, the local stack and the tests. */
export const emailApi: ServiceDefinition<EmailApiSettings> = {
  name,
  title: 'Email API',
  description: 'Transactional email with inline content or stored templates, and a delivery report for each recipient.',
  version: '1.0.0',
  loadSettings: loadEmailApiSettings,
  migrations: [
    tenancyMigrations,
    authMigrations,
    messagingMigrations,
    creditsMigrations,
    idempotencyMigrations,
    emailMigrations,
  ],
  imports: (settings, log) => [
    DatabaseModule.forRoot(settings, name, [
      ...tenancyEntities,
      ...authEntities,
      ...messagingEntities,
      ...creditsEntities,
      ...idempotencyEntities,
      ...emailEntities,
    ]),
    MessagingModule.forRoot({
      settings,
      applicationName: name,
      log,
      relays: settings.ROLE !== 'api',
      keeps: [{ name: MAIL_QUEUE, bindings: [mailRequested.type] }],
    }),
    AuthModule,
    AppModule.forRoot(settings),
  ],
};
