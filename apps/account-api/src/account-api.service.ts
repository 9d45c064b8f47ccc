import { auditEntities, auditMigrations } from '@heliograph/audit';
import { authEntities, authMigrations } from '@heliograph/auth';
import { billingMigrations } from '@heliograph/billing';
import { botEntities, botMigrations } from '@heliograph/bot-conversations';
import { botSearchEntities, botSearchMigrations } from '@heliograph/bot-search';
import { chatappEntities, chatappMigrations } from '@heliograph/chatapp-messages';
import { MAIL_QUEUE, mailRequested } from '@heliograph/contracts';
import { creditsEntities, creditsMigrations } from '@heliograph/credits';
import { DatabaseModule } from '@heliograph/database';
import { emailCatalogEntities, emailCatalogMigrations } from '@heliograph/email-catalog';
import { accountErrorBody } from '@heliograph/errors';
import { idempotencyEntities, idempotencyMigrations } from '@heliograph/idempotency';
import { messagingEntities, messagingMigrations, MessagingModule } from '@heliograph/messaging';
import { describeKeys, type ServiceDefinition } from '@heliograph/platform';
import { smsCatalogEntities, smsCatalogMigrations } from '@heliograph/sms-catalog';
import { tenancyEntities, tenancyMigrations } from '@heliograph/tenancy';
import { usersEntities, usersMigrations } from '@heliograph/users';
import { loadAccountApiSettings, type AccountApiSettings } from './account-api.config';
import { AppModule } from './app.module';

const name = 'account-api';

/** The account service, as production, the local stack and the tests start it. */
export const accountApi: ServiceDefinition<AccountApiSettings> = {
  name,
  title: 'Account API',
  description: 'Logins, workspaces, members, keys, credits, registrations and bots of an organization.',
  version: '1.0.0',
  loadSettings: loadAccountApiSettings,
  errorBody: accountErrorBody,
  // Fifty logins at once are fifty look-ups and validations before the first password is hashed.
  pacesRequests: true,
  describeSecurity: (document) =>
    describeKeys(document)
      .addCookieAuth(
        'session',
        { type: 'apiKey', in: 'cookie', description: 'A session; over TLS __Host-session' },
        'session',
      )
      .addBearerAuth({ type: 'http', scheme: 'bearer', description: "The platform operator's token" }, 'operator'),
  migrations: [
    tenancyMigrations,
    messagingMigrations,
    usersMigrations,
    authMigrations,
    auditMigrations,
    creditsMigrations,
    idempotencyMigrations,
    smsCatalogMigrations,
    emailCatalogMigrations,
    chatappMigrations,
    botMigrations,
    botSearchMigrations,
    billingMigrations,
  ],
  imports: (settings, log) => [
    DatabaseModule.forRoot(settings, name, [
      ...tenancyEntities,
      ...usersEntities,
      ...authEntities,
      ...auditEntities,
      ...messagingEntities,
      ...creditsEntities,
      ...idempotencyEntities,
      ...smsCatalogEntities,
      ...emailCatalogEntities,
      ...chatappEntities,
      ...botEntities,
      ...botSearchEntities,
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
