import { AuthModule, authEntities, authMigrations } from '@heliograph/auth';
import { MAIL_QUEUE, mailRequested } from '@heliograph/contracts';
import { creditsEntities, creditsMigrations } from '@heliograph/credits';
import { DatabaseModule } from '@heliograph/database';
import { idempotencyEntities, idempotencyMigrations } from '@heliograph/idempotency';
import { messagingEntities, messagingMigrations, MessagingModule } from '@heliograph/messaging';
import type { ServiceDefinition } from '@heliograph/platform';
import { tenancyEntities, tenancyMigrations } from '@heliograph/tenancy';
import { AppModule } from './app.module';
import { loadEmailApiSettings, type EmailApiSettings } from './email-api.config';
import { emailEntities, emailMigrations } from './migration-set';

const name = 'email-api';

/** The email service, as production, the local stack and the tests start it. */
export const emailApi: ServiceDefinition<EmailApiSettings> = {
  name,
  title: 'Email API',
  description:
    'Transactional email, inline or from stored templates, with a report of what happened to each recipient.',
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
