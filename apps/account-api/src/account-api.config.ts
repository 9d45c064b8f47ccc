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

export const accountApiConfigSchema = z.object({
  ...serviceConfigSchema.shape,
  ...databaseConfigSchema.shape,
  ...messagingConfigSchema.shape,
  ...personsConfig,
  ...webhooksConfigSchema.shape,
  ROLE: z.enum(['all', 'api', 'worker', 'webhooks']).default('all').meta({
    description:
      'What the process does. `all`: everything; `api`: HTTP; `worker`: events, reports and erasures; `webhooks`: only deliveries of webhooks, so that slow endpoints of customers affect nothing else.',
    example: 'api',
  }),
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
  LIMITS_EMAIL_DOMAINS_PER_HOUR: z.coerce.number().int().min(0).default(20).meta({
    description: 'New email domains per organization and hour, because each needs an RSA key; 0 disables the limit.',
  }),
  LIMITS_BOT_FAQS: perBot(FAQS.most).meta({ description: 'Maximum number of FAQs per bot.' }),
  LIMITS_BOT_ARTICLES: perBot(ARTICLES.most).meta({ description: 'Maximum number of articles per bot.' }),
  LIMITS_BOT_SHORTCUTS: perBot(SHORTCUTS.most).meta({ description: 'Maximum number of shortcuts per bot.' }),
  LIMITS_BOT_FORMS: perBot(FORMS.most).meta({ description: 'Maximum number of forms per bot.' }),
  SMS_API_URL: z.url().optional().meta({
    description: 'Internal base URL of sms-api, for quotes and the API reference.',
    example: 'http://sms-api:3000',
  }),
  EMAIL_API_URL: z.url().optional().meta({
    description: 'Internal base URL of email-api, for quotes and the API reference.',
    example: 'http://email-api:3000',
  }),
  CHATAPP_API_URL: z.url().optional().meta({
    description: 'Internal base URL of chatapp-api, for quotes and the API reference.',
    example: 'http://chatapp-api:3000',
  }),
  BOT_RUNTIME_URL: z.url().optional().meta({
    description: 'Internal base URL of bot-runtime, for the API reference.',
    example: 'http://bot-runtime:3000',
  }),
  CHATAPP_HOOK_URL: z.url().optional().meta({
    description: 'Internal base URL of chatapp-hook, for the API reference.',
    example: 'http://chatapp-hook:3000',
  }),
  BILLING_HOOK_URL: z.url().optional().meta({
    description: 'Internal base URL of billing-hook, for the API reference.',
    example: 'http://billing-hook:3000',
  }),
  BILLING_SECRET_KEY: z.string().optional().meta({
    description: 'API key of the payment processor. If it is not set, credits cannot be bought.',
    example: '$(cat secret-key)',
    secret: true,
  }),
  BILLING_API_URL: z.url().optional().meta({
    description: "Base URL of the payment processor's API. The default is the URL in its client library.",
    example: 'https://payments.example.com',
  }),
  KEY_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9]+$/)
    .default('msg')
    .meta({ description: 'Prefix of new API keys.', form: 'letters and digits' }),
  PUBLIC_ORIGINS: origins.optional().meta({
    description:
      'Origins whose pages may write with a session cookie. The default is the origin of the requested host.',
    form: 'a list of origins, separated by commas',
    example: 'https://console.example.com',
    production: 'https-if-set',
  }),
  PLATFORM_OPERATOR_TOKEN: list
    .pipe(z.array(z.string().min(32, 'must have at least 32 characters')).max(2))
    .default([])
    .meta({
      description:
        'Tokens of the operator; two during a rotation. If no token is set, the operator endpoints are disabled.',
      form: 'one or two tokens with at least 32 characters each, separated by a comma',
      example: '$(openssl rand -hex 32)',
      secret: true,
    }),
  AUDIT_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(30)
    .default(730)
    .meta({ description: 'Retention of audit entries in days.' }),
  REPORTS_DIR: z.string().default('.data/reports').meta({
    description: 'Folder of report files, which all processes of account-api share.',
    form: 'a path',
    example: '/reports',
  }),
  REPORTS_S3_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .meta({
      description:
        'S3-compatible storage of report files instead of a folder: `https://host/bucket/prefix?region=...`. If the URL contains no user and password, the AWS SDK uses its default credential providers.',
      form: 'an http:// or https:// URL',
      example: 'https://storage.example.com/bucket/reports?region=eu-central-1',
      secret: true,
    }),
  REPORTS_RETENTION_DAYS: z.coerce
    .number()
    .int()
    .min(1)
    .default(30)
    .meta({ description: 'Retention of report files in days.' }),
  ACCOUNT_MFA_ISSUER: z.string().default('Heliograph').meta({ description: 'Issuer that authenticator apps display.' }),
  ACCOUNT_INVITATION_URL: z.string().includes('{token}').optional().meta({
    description: 'URL in invitation emails; `{token}` is replaced by the token.',
    form: 'a URL that contains {token}',
    example: 'https://console.example.com/invitations/{token}',
    production: 'https-if-set',
  }),
  ACCOUNT_PASSWORD_RESET_URL: z.string().includes('{token}').optional().meta({
    description: 'URL in password reset emails; `{token}` is replaced by the token.',
    form: 'a URL that contains {token}',
    example: 'https://console.example.com/password/{token}',
    production: 'https-if-set',
  }),
  ACCOUNT_EMAIL_VERIFICATION_URL: z.string().includes('{token}').optional().meta({
    description: 'URL in verification emails; `{token}` is replaced by the token.',
    form: 'a URL that contains {token}',
    example: 'https://console.example.com/email/{token}',
    production: 'https-if-set',
  }),
  REGISTRATION: z
    .enum(['open', 'closed'])
    .default(() => (process.env['NODE_ENV'] === 'production' ? 'closed' : 'open'))
    .meta({ description: 'Whether anyone can register.', defaultsTo: '`closed` in production, `open` elsewhere' }),
  REGISTRATION_CREDITS: z
    .string()
    .default('')
    .transform((text, context) => readRegistrationCredits(text) ?? fail(context))
    .meta({
      description: 'Credits of the first workspace of a registered organization.',
      form: 'credits by channel',
      example: 'sms:100,email:100',
    }),
  ACCOUNT_AUTH_RATE_PER_MINUTE: z.coerce.number().int().min(0).default(10).meta({
    description: 'Requests per minute and address on login, logout and session endpoints; 0 disables the limit.',
  }),
  ACCOUNT_MAX_STREAMS: z.coerce.number().int().min(1).default(1_000).meta({
    description:
      'Maximum number of open event streams of the message log per process, shared equally by organizations when all are in use.',
  }),
  ACCOUNT_RATE_PER_MINUTE: z.coerce
    .number()
    .int()
    .min(0)
    .default(120)
    .meta({ description: 'Requests per minute and API key or session on all other endpoints; 0 disables the limit.' }),
});

export type AccountApiConfig = z.output<typeof accountApiConfigSchema>;

export function loadAccountApiConfig(environment: Record<string, string | undefined>): AccountApiConfig {
  return loadConfig(accountApiConfigSchema, environment);
}
