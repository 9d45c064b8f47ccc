import { ARTICLES, FAQS, FORMS, SHORTCUTS } from '@heliograph/bot-catalog';
import { chatappAccountConfigSchema } from '@heliograph/chatapp-catalog';
import { databaseConfigSchema } from '@heliograph/database';
import { emailDomainConfig } from '@heliograph/email-catalog';
import { limitsConfig, personsConfig } from '@heliograph/tenancy';
import { messagingConfigSchema } from '@heliograph/messaging';
import { loadConfig, serviceConfigSchema } from '@heliograph/service-kit';
import { webhooksConfigSchema } from '@heliograph/webhooks';
import { z } from 'zod';
import { readRegistrationCredits } from './identity/v1-auth/registration-credits';

const perBot = (most: number) => z.coerce.number().int().min(1).max(1_000_000).default(most);

const list = z.string().transform((text) => text.split(',').map((entry) => entry.trim()));

const origins = list.pipe(
  z.array(
    z.string().refine((origin) => URL.canParse(origin) && new URL(origin).origin === origin, {
      error: 'must be a comma-separated list of origins such as https://console.example.com',
    }),
  ),
);

const fail = (context: z.RefinementCtx): never => {
  context.addIssue({ code: 'custom', message: 'must be a list such as sms:100,email:100' });
  return z.NEVER;
};

const accountApiConfig = z.object({
  ...serviceConfigSchema.shape,
  ...databaseConfigSchema.shape,
  ...messagingConfigSchema.shape,
  ...personsConfig,
  ...webhooksConfigSchema.shape,
  /** `webhooks`: only deliveries of webhooks, so that slow endpoints of customers affect nothing else. */
  ROLE: z.enum(['all', 'api', 'worker', 'webhooks']).default('all'),
  ...emailDomainConfig.shape,
  ...chatappAccountConfigSchema.shape,
  ...limitsConfig(
    'LIMITS_WORKSPACES',
    'LIMITS_MEMBERS',
    'LIMITS_API_KEYS',
    'LIMITS_SMS_ONBOARDINGS',
    'LIMITS_SMS_SENDERS',
    'LIMITS_SMS_TEMPLATES',
    'LIMITS_EMAIL_DOMAINS',
    'LIMITS_EMAIL_SENDERS',
    'LIMITS_EMAIL_TEMPLATES',
    'LIMITS_EMAIL_SUPPRESSIONS',
    'LIMITS_CHATAPP_CONSENTS',
    'LIMITS_CONTACTS',
    'LIMITS_CONTACT_GROUPS',
    'LIMITS_BOTS',
    'LIMITS_WEBHOOKS',
  ),
  /** New email domains per organization and hour, because each needs an RSA key; 0 disables the limit. */
  LIMITS_EMAIL_DOMAINS_PER_HOUR: z.coerce.number().int().min(0).default(20),
  /** Maximum number of content objects per bot. */
  LIMITS_BOT_FAQS: perBot(FAQS.most),
  LIMITS_BOT_ARTICLES: perBot(ARTICLES.most),
  LIMITS_BOT_SHORTCUTS: perBot(SHORTCUTS.most),
  LIMITS_BOT_FORMS: perBot(FORMS.most),
  /** Base URLs of the services from which this service requests quotes and the OpenAPI documents of the API reference. */
  SMS_API_URL: z.url().optional(),
  EMAIL_API_URL: z.url().optional(),
  CHATAPP_API_URL: z.url().optional(),
  /** Base URLs of further services whose OpenAPI documents are part of the API reference. */
  BOT_RUNTIME_URL: z.url().optional(),
  CHATAPP_HOOK_URL: z.url().optional(),
  BILLING_HOOK_URL: z.url().optional(),
  /** API key of the payment processor. If it is not set, credits cannot be bought. */
  BILLING_SECRET_KEY: z.string().optional(),
  /** Base URL of the payment processor's API. The default is the URL in its client library. */
  BILLING_API_URL: z.url().optional(),
  /** Prefix of new API keys. */
  KEY_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9]+$/)
    .default('msg'),
  /** Origins whose pages may write with a session cookie. The default is the origin of the requested host. */
  PUBLIC_ORIGINS: origins.optional().meta({ production: 'https-if-set' }),
  /** Tokens of the operator; two during a rotation. If no token is set, the operator endpoints are disabled. */
  PLATFORM_OPERATOR_TOKEN: list
    .pipe(z.array(z.string().min(32, 'must have at least 32 characters')).max(2))
    .default([]),
  /** Retention of audit entries in days. */
  AUDIT_RETENTION_DAYS: z.coerce.number().int().min(30).default(730),
  /** Folder of report files, which all processes share. */
  REPORTS_DIR: z.string().default('.data/reports'),
  /**
   * S3-compatible storage of report files instead of a folder: `https://host/bucket/prefix?region=...`. If the URL
   * contains no user and password, the AWS SDK uses its default credential providers.
   */
  REPORTS_S3_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** Retention of report files in days. */
  REPORTS_RETENTION_DAYS: z.coerce.number().int().min(1).default(30),
  /** Issuer that authenticator apps display. */
  ACCOUNT_MFA_ISSUER: z.string().default('Heliograph'),
  /** URL in invitation emails; `{token}` is replaced by the token. */
  ACCOUNT_INVITATION_URL: z.string().includes('{token}').optional().meta({ production: 'https-if-set' }),
  /** URL in password reset emails; `{token}` is replaced by the token. */
  ACCOUNT_PASSWORD_RESET_URL: z.string().includes('{token}').optional().meta({ production: 'https-if-set' }),
  /** URL in verification emails; `{token}` is replaced by the token. */
  ACCOUNT_EMAIL_VERIFICATION_URL: z.string().includes('{token}').optional().meta({ production: 'https-if-set' }),
  /** Whether anyone can register. The default is closed in production and open elsewhere. */
  REGISTRATION: z
    .enum(['open', 'closed'])
    .default(() => (process.env['NODE_ENV'] === 'production' ? 'closed' : 'open')),
  /** Credits of the first workspace of a registered organization, such as `sms:100,email:100`. */
  REGISTRATION_CREDITS: z
    .string()
    .default('')
    .transform((text, context) => readRegistrationCredits(text) ?? fail(context)),
  /** Requests per minute and address on login, logout and session endpoints; 0 disables the limit. */
  ACCOUNT_AUTH_RATE_PER_MINUTE: z.coerce.number().int().min(0).default(10),
  /** Requests per minute and API key or session on all other endpoints; 0 disables the limit. */
  ACCOUNT_RATE_PER_MINUTE: z.coerce.number().int().min(0).default(120),
});

export type AccountApiConfig = z.output<typeof accountApiConfig>;

export function loadAccountApiConfig(environment: Record<string, string | undefined>): AccountApiConfig {
  return loadConfig(accountApiConfig, environment);
}
