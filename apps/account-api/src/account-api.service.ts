import { analyticsMigrations } from '@heliograph/analytics';
import { auditMigrations, tenancyMigrations, personsMigrations } from '@heliograph/tenancy';
import { authMigrations } from '@heliograph/auth';
import { billingMigrations } from '@heliograph/billing';
import { botMigrations } from '@heliograph/bot-conversations';
import { botSearchMigrations } from '@heliograph/bot-search';
import { chatappMigrations } from '@heliograph/chatapp-messages';
import { contactsMigrations } from '@heliograph/contacts';
import { creditsMigrations } from '@heliograph/credits';
import { DatabaseModule, partitionsMigrations } from '@heliograph/database';
import { emailCatalogMigrations } from '@heliograph/email-catalog';
import { accountErrorBody } from '@heliograph/errors';
import { idempotencyMigrations } from '@heliograph/idempotency';
import { messagingMigrations, MessagingModule } from '@heliograph/messaging';
import { describeKeys, V1_PREFIX, type ServiceDefinition } from '@heliograph/service-kit';
import { smsCatalogMigrations } from '@heliograph/sms-catalog';
import { systemMailMigrations } from '@heliograph/system-mail';
import { usersMigrations } from '@heliograph/users';
import { webhooksMigrations } from '@heliograph/webhooks';
import { accountApiConfigSchema, loadAccountApiConfig, type AccountApiConfig } from './account-api.config';
import { accountRouteFacts } from './access/route-facts';
import { AppModule } from './app.module';
import { accountInput, accountValidation } from './http/input';
import { databaseAccess } from './database-access';

const name = 'account-api';

const SESSION_DESCRIPTION =
  'Session cookie; named `__Host-session` over TLS. The samples expect it in the shell variable `SESSION_TOKEN`: it is the value of ' +
  'the cookie that POST /api/auth/login sets, which `curl -i` displays';
const OPERATOR_DESCRIPTION =
  'Operator token. The samples expect it in the shell variable `OPERATOR_TOKEN`. For the local stack: ' +
  '`OPERATOR_TOKEN=local-operator-0123456789abcdef0123456789`';

/** Definition of the account API, used in production, in the local stack and in tests. */
export const accountApi: ServiceDefinition<AccountApiConfig> = {
  name,
  title: 'Account API',
  description:
    'Manages users, workspaces, members, API keys, credits, sender registrations and bots of an organization.',
  version: '1.0.0',
  configSchema: accountApiConfigSchema,
  loadConfig: loadAccountApiConfig,
  errorBody: accountErrorBody,
  servesV1: true,
  validation: accountValidation,
  input: accountInput,
  callsPerMinute: ({ MESSAGING_RATE_PER_MINUTE, ACCOUNT_RATE_PER_MINUTE }, path) =>
    path.startsWith(V1_PREFIX) ? MESSAGING_RATE_PER_MINUTE : ACCOUNT_RATE_PER_MINUTE,
  factsOf: accountRouteFacts,
  // Each login makes several queries before the password is hashed. The number of connections is sufficient for 50 concurrent logins.
  pacesRequests: true,
  // Uploads of files with contacts need more time.
  requestTimeoutMs: 10 * 60_000,
  describeSecurity: (document) =>
    describeKeys(document)
      .addCookieAuth('session', { type: 'apiKey', in: 'cookie', description: SESSION_DESCRIPTION }, 'session')
      .addBearerAuth({ type: 'http', scheme: 'bearer', description: OPERATOR_DESCRIPTION }, 'operator'),
  migrations: [
    tenancyMigrations,
    messagingMigrations,
    usersMigrations,
    authMigrations,
    auditMigrations,
    creditsMigrations,
    partitionsMigrations,
    idempotencyMigrations,
    personsMigrations,
    contactsMigrations,
    systemMailMigrations,
    smsCatalogMigrations,
    emailCatalogMigrations,
    chatappMigrations,
    botMigrations,
    botSearchMigrations,
    billingMigrations,
    analyticsMigrations,
    webhooksMigrations,
  ],
  access: databaseAccess,
  imports: (config, log) => [
    DatabaseModule.forRoot(config, name),
    MessagingModule.forRoot({
      config,
      applicationName: name,
      log,
      relays: config.ROLE === 'all' || config.ROLE === 'worker',
      jobSources: ['erasures'],
    }),
    AppModule,
  ],
};
