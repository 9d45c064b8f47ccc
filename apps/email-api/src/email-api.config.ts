import { createPrivateKey, X509Certificate } from 'node:crypto';
import { databaseConfigSchema } from '@heliograph/database';
import { emailDomainConfig } from '@heliograph/email-catalog';
import { readEmailAddress } from '@heliograph/addresses';
import { limitsConfig, personsConfig } from '@heliograph/tenancy';
import { messagingConfigSchema } from '@heliograph/messaging';
import { flagSetting, loadConfig, serviceConfigSchema } from '@heliograph/service-kit';
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

const emailApiConfig = z
  .object({
    ...serviceConfigSchema.shape,
    ...databaseConfigSchema.shape,
    ...messagingConfigSchema.shape,
    ...personsConfig,
    ...limitsConfig('LIMITS_EMAIL_SCHEDULED', 'LIMITS_EMAIL_TEMPLATES'),
    ...emailDomainConfig.shape,
    /** Domain of return paths, to which bounces are sent. A domain with its own return path does not use it. */
    EMAIL_RETURN_PATH_DOMAIN: emailDomainConfig.shape.EMAIL_RETURN_PATH_DOMAIN.unwrap(),
    /** The submission server: `smtp://user:password@host:587`, or `smtps://` for implicit TLS. */
    EMAIL_SMTP_URL: z
      .string()
      .regex(/^smtps?:\/\//, 'must be an smtp:// or smtps:// URL')
      .refine((text) => URL.canParse(text), 'must be an smtp:// or smtps:// URL'),
    /** Requires STARTTLS. Disable it only for a server on the same host. */
    EMAIL_SMTP_REQUIRE_TLS: flagSetting(true),
    /** Verifies the TLS certificate. Disable it only for a server with a self-signed certificate. */
    EMAIL_SMTP_VERIFY_TLS: flagSetting(true),
    /** Host name sent in EHLO; by default the name of the machine. */
    EMAIL_SMTP_NAME: z.string().optional(),
    /** Maximum connections to the submission server per process. */
    EMAIL_SMTP_CONNECTIONS: z.coerce.number().int().min(1).max(500).default(10),
    /** Socket timeout of the submission server. */
    EMAIL_SMTP_TIMEOUT_MS: z.coerce.number().int().min(500).default(120_000),
    /** Maximum time that a call waits for the submission server; the remaining mails are sent in the background. */
    EMAIL_CALL_DEADLINE_MS: z.coerce.number().int().min(100).default(20_000),
    /** Maximum time during which a mail is retried; after it, the mail bounces. */
    EMAIL_RETRY_HOURS: z.coerce.number().positive().default(4),
    /** Lease of a send. If a process crashes, another process continues the send after the lease has expired. */
    EMAIL_LEASE_MS: z.coerce.number().int().min(500).default(15_000),
    /** Secrets that sign return paths, links and Message-IDs. The first secret signs, all secrets verify. */
    EMAIL_TOKEN_SECRET: secrets,
    /** Port of the SMTP listener for returned mail; if unset, the listener is disabled. */
    EMAIL_RETURN_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
    EMAIL_RETURN_HOST: z.string().default('0.0.0.0'),
    /** PEM of the certificate chain and the key of STARTTLS of the listener; by default a self-signed certificate. */
    EMAIL_RETURN_TLS_CERTIFICATE: z.string().refine(isCertificate, 'must be a certificate in PEM').optional(),
    EMAIL_RETURN_TLS_KEY: z.string().refine(isPrivateKey, 'must be a private key in PEM').optional(),
    /** Sender of system mail, such as receipts and invitations. */
    EMAIL_PLATFORM_FROM: z.string().refine((text) => readEmailAddress(text) !== null, 'must be an email address'),
    EMAIL_PLATFORM_NAME: z.string().default('Heliograph'),
    /** PEM of the DKIM key for system mail; if unset, system mail is not signed by this service. */
    EMAIL_PLATFORM_DKIM_KEY: z.string().optional(),
    EMAIL_PLATFORM_DKIM_SELECTOR: z.string().default('heliograph'),
    /** Retention of sends in days; older partitions are dropped weekly. */
    EMAIL_RETENTION_DAYS: z.coerce.number().int().min(7).default(90),
    /** Retention of the subject and the content of sends in days; the delivery reports are retained. */
    EMAIL_BODY_RETENTION_DAYS: z.coerce.number().int().min(7).default(30),
    /** Number of lanes that accept sends; a workspace always uses the same lane. */
    EMAIL_ACCEPT_LANES: z.coerce.number().int().min(1).max(16).default(2),
    /** Maximum number of sends that a worker processes concurrently. */
    EMAIL_SEND_CONCURRENCY: z.coerce.number().int().min(1).max(1_000).default(50),
  })
  .refine(({ EMAIL_RETURN_TLS_CERTIFICATE: cert, EMAIL_RETURN_TLS_KEY: key }) => !cert === !key, {
    path: ['EMAIL_RETURN_TLS_KEY'],
    message: 'must be set together with EMAIL_RETURN_TLS_CERTIFICATE',
  })
  .refine((config) => config.PUBLIC_TRACKING_URL ?? config.PUBLIC_BASE_URL, {
    path: ['PUBLIC_TRACKING_URL'],
    message: 'must be set unless PUBLIC_BASE_URL is set, because links in mails need a base URL',
  });

export type EmailApiConfig = z.output<typeof emailApiConfig>;

export function loadEmailApiConfig(environment: Record<string, string | undefined>): EmailApiConfig {
  return loadConfig(emailApiConfig, environment);
}

/** Returns the base URL of tracking links, without a trailing slash. */
export function trackingUrlOf(config: EmailApiConfig): string {
  return (config.PUBLIC_TRACKING_URL ?? config.PUBLIC_BASE_URL ?? '').replace(/\/+$/, '');
}
