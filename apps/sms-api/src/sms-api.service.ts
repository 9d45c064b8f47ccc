import { AuthModule, authEntities, authMigrations } from '@heliograph/auth';
import { creditsEntities, creditsMigrations } from '@heliograph/credits';
import { DatabaseModule } from '@heliograph/database';
import { idempotencyEntities, idempotencyMigrations } from '@heliograph/idempotency';
import { messagingEntities, messagingMigrations, MessagingModule } from '@heliograph/messaging';
import type { ServiceDefinition } from '@heliograph/service-kit';
import { tenancyEntities, tenancyMigrations } from '@heliograph/tenancy';
import { AppModule } from './app.module';
import { smsEntities, smsMigrations } from './migration-set';
import { loadSmsApiSettings, type SmsApiSettings } from './sms-api.config';

const name = 'sms-api';

/** The definition of the SMS service, used by production, the local stack and the tests. */
export const smsApi: ServiceDefinition<SmsApiSettings> = {
  name,
  title: 'SMS API',
  description: 'Template-based, DLT-compliant SMS in four call styles: JSON, query string, form and SOAP.',
  version: '1.0.0',
  loadSettings: loadSmsApiSettings,
  migrations: [
    tenancyMigrations,
    authMigrations,
    messagingMigrations,
    creditsMigrations,
    idempotencyMigrations,
    smsMigrations,
  ],
  imports: (settings, log) => [
    DatabaseModule.forRoot(settings, name, [
      ...tenancyEntities,
      ...authEntities,
      ...messagingEntities,
      ...creditsEntities,
      ...idempotencyEntities,
      ...smsEntities,
    ]),
    MessagingModule.forRoot({
      settings,
      applicationName: name,
      log,
      relays: settings.ROLE !== 'api',
    }),
    AuthModule,
    AppModule.forRoot(settings),
  ],
};
