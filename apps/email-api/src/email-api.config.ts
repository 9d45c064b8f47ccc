import { createPrivateKey, X509Certificate } from 'node:crypto';
import { databaseConfigSchema } from '@heliograph/database';
import { emailDomainConfig } from '@heliograph/email-catalog';
import { readEmailAddress } from '@heliograph/addresses';
import { limitsConfig, personsConfig } from '@heliograph/tenancy';
import { messagingConfigSchema } from '@heliograph/messaging';
import { flagSetting, loadConfig, serviceConfigSchema, whenValid } from '@heliograph/service-kit';
import { z } from 'zod';

const MIN_SECRET_LENGTH = 16;

const secrets = z
  .string()
  .transform((text) => text.split(',').map((secret) => secret.trim()))
  .refine(
    (list) => list.every(({ length }) => length >= MIN_SECRET_LENGTH),
    `must be a comma-separated list of secrets with at least ${MIN_SECRET_LENGTH} characters each`,
  );

const isCertificate = (pem: string): boolean => isReadable(() => new X509Certificate(pem));
const isPrivateKey = (pem: string): boolean => isReadable(() => createPrivateKey(pem));

function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

export const emailApiConfigSchema = z
  .object({
    ...serviceConfigSchema.shape,
    ...databaseConfigSchema.shape,
    ...messagingConfigSchema.shape,
    ...personsConfig,
    ...limitsConfig('LIMITS_EMAIL_SCHEDULED', 'LIMITS_EMAIL_TEMPLATES'),
    ...emailDomainConfig.shape,
    EMAIL_RETURN_PATH_DOMAIN: emailDomainConfig.shape.EMAIL_RETURN_PATH_DOMAIN.unwrap().meta({
      description:
        'Domain of return paths, to which bounces are sent. A domain with its own return path does not use it.',
      form: 'a host name',
      example: 'bounces.example.com',
    }),
    EMAIL_SMTP_URL: z
      .string()
      .regex(/^smtps?:\/\//, 'must be an smtp:// or smtps:// URL')
      .refine((text) => URL.canParse(text), 'must be an smtp:// or smtps:// URL')
      .meta({
        description: 'The submission server; `smtps://` for implicit TLS.',
        form: 'an smtp:// or smtps:// URL',
        example: 'smtp://heliograph:$(openssl rand -hex 32)@mail.example.com:587',
        secret: true,
      }),
    EMAIL_SMTP_REQUIRE_TLS: flagSetting(true).meta({
      description: 'Requires STARTTLS. Disable it only for a server on the same host.',
    }),
    EMAIL_SMTP_VERIFY_TLS: flagSetting(true).meta({
      description: 'Verifies the TLS certificate. Disable it only for a server with a self-signed certificate.',
    }),
    EMAIL_SMTP_NAME: z.string().optional().meta({
      description: 'Host name sent in EHLO.',
      example: 'mta.example.com',
      defaultsTo: 'the name of the machine',
    }),
    EMAIL_SMTP_CONNECTIONS: z.coerce
      .number()
      .int()
      .min(1)
      .max(500)
      .default(10)
      .meta({ description: 'Maximum connections to the submission server per process.' }),
    EMAIL_SMTP_TIMEOUT_MS: z.coerce
      .number()
      .int()
      .min(500)
      .default(120_000)
      .meta({ description: 'Socket timeout of the submission server.' }),
    EMAIL_CALL_DEADLINE_MS: z.coerce.number().int().min(100).default(20_000).meta({
      description:
        'Maximum time that a call waits for the submission server; the remaining mails are sent in the background.',
    }),
    EMAIL_RETRY_HOURS: z.coerce
      .number()
      .positive()
      .default(4)
      .meta({ description: 'Maximum time during which a mail is retried; after it, the mail bounces.' }),
    EMAIL_LEASE_MS: z.coerce.number().int().min(500).default(15_000).meta({
      description:
        'Lease of a send. If a process crashes, another process continues the send after the lease has expired.',
    }),
    EMAIL_TOKEN_SECRET: secrets.meta({
      description: 'Secrets that sign return paths, links and Message-IDs. The first secret signs, all secrets verify.',
      form: 'secrets with at least 16 characters each, separated by commas',
      example: '$(openssl rand -hex 32)',
      secret: true,
    }),
    EMAIL_RETURN_PORT: z.coerce.number().int().min(0).max(65_535).optional().meta({
      description: 'Port of the SMTP listener for returned mail, in workers. Unset: no listener.',
      example: '2525',
    }),
    EMAIL_RETURN_HOST: z
      .string()
      .default('0.0.0.0')
      .meta({ description: 'Address of the SMTP listener for returned mail.' }),
    EMAIL_RETURN_TLS_CERTIFICATE: z.string().refine(isCertificate, 'must be a certificate in PEM').optional().meta({
      description:
        'Certificate chain of STARTTLS of the listener for returned mail. Set it together with EMAIL_RETURN_TLS_KEY.',
      form: 'a certificate in PEM',
      example: '$(cat certificate.pem)',
      defaultsTo: 'a self-signed certificate',
    }),
    EMAIL_RETURN_TLS_KEY: z.string().refine(isPrivateKey, 'must be a private key in PEM').optional().meta({
      description: 'Key of EMAIL_RETURN_TLS_CERTIFICATE.',
      form: 'a private key in PEM',
      example: '$(cat key.pem)',
      secret: true,
    }),
    EMAIL_PLATFORM_FROM: z
      .string()
      .refine((text) => readEmailAddress(text) !== null, 'must be an email address')
      .meta({
        description: 'Sender of system mail, such as receipts and invitations.',
        form: 'an email address',
        example: 'no-reply@example.com',
      }),
    EMAIL_PLATFORM_NAME: z.string().default('Heliograph').meta({ description: 'Name of the sender of system mail.' }),
    EMAIL_PLATFORM_DKIM_KEY: z.string().optional().meta({
      description: 'DKIM key for system mail. Unset: system mail is not signed by this service.',
      form: 'a private key in PEM',
      example: '$(cat dkim.pem)',
      secret: true,
    }),
    EMAIL_PLATFORM_DKIM_SELECTOR: z
      .string()
      .default('heliograph')
      .meta({ description: 'DKIM selector for system mail.' }),
    EMAIL_RETENTION_DAYS: z.coerce
      .number()
      .int()
      .min(7)
      .default(90)
      .meta({ description: 'Retention of sends in days; older partitions are dropped weekly.' }),
    EMAIL_BODY_RETENTION_DAYS: z.coerce.number().int().min(7).default(30).meta({
      description: 'Retention of the subject and the content of sends in days; the delivery reports are retained.',
    }),
    EMAIL_ACCEPT_LANES: z.coerce
      .number()
      .int()
      .min(1)
      .max(16)
      .default(2)
      .meta({ description: 'Number of lanes that accept sends; a workspace always uses the same lane.' }),
    EMAIL_SEND_CONCURRENCY: z.coerce
      .number()
      .int()
      .min(1)
      .max(1_000)
      .default(50)
      .meta({ description: 'Maximum number of sends that a worker processes concurrently.' }),
  })
  .refine(({ EMAIL_RETURN_TLS_CERTIFICATE: cert, EMAIL_RETURN_TLS_KEY: key }) => !cert === !key, {
    path: ['EMAIL_RETURN_TLS_KEY'],
    message: 'must be set together with EMAIL_RETURN_TLS_CERTIFICATE',
    when: whenValid('EMAIL_RETURN_TLS_CERTIFICATE', 'EMAIL_RETURN_TLS_KEY'),
  })
  .refine((config) => config.PUBLIC_TRACKING_URL ?? config.PUBLIC_BASE_URL, {
    path: ['PUBLIC_TRACKING_URL'],
    message: 'must be set unless PUBLIC_BASE_URL is set, because links in mails need a base URL',
    when: whenValid('PUBLIC_TRACKING_URL', 'PUBLIC_BASE_URL'),
  });

export type EmailApiConfig = z.output<typeof emailApiConfigSchema>;

export function loadEmailApiConfig(environment: Record<string, string | undefined>): EmailApiConfig {
  return loadConfig(emailApiConfigSchema, environment);
}

/** Returns the base URL of tracking links, without a trailing slash. */
export function trackingUrlOf(config: EmailApiConfig): string {
  return (config.PUBLIC_TRACKING_URL ?? config.PUBLIC_BASE_URL ?? '').replace(/\/+$/, '');
}
