import { databaseSettings } from '@heliograph/database';
import { emailDomainSettings } from '@heliograph/email-catalog';
import { readEmailAddress } from '@heliograph/email-address';
import { messagingSettings } from '@heliograph/messaging';
import { flagSetting, loadSettings, platformSettings } from '@heliograph/platform';
import { z } from 'zod';

const MIN_SECRET_LENGTH = 16;

const secrets = z
  .string()
  .transform((text) => text.split(',').map((secret) => secret.trim()))
  .refine(
    (list) => list.every(({ length }) => length >= MIN_SECRET_LENGTH),
    `must be secrets of at least ${MIN_SECRET_LENGTH} characters, separated by commas`,
  );

const emailApiSettings = z
  .object({
    ...platformSettings.shape,
    ...databaseSettings.shape,
    ...messagingSettings.shape,
    ...emailDomainSettings.shape,
    /** Where what cannot be delivered comes back to, unless the sender's domain has a return path of its own. */
    EMAIL_RETURN_PATH_DOMAIN: emailDomainSettings.shape.EMAIL_RETURN_PATH_DOMAIN.unwrap(),
    /** The submission server: `smtp://user:password@host:587`, or `smtps://` for TLS from the start. */
    EMAIL_SMTP_URL: z
      .string()
      .regex(/^smtps?:\/\//, 'must be an smtp:// or smtps:// address')
      .refine((text) => URL.canParse(text), 'must be an smtp:// or smtps:// address'),
    /** A server that offers no STARTTLS is not used. Off for a server on the same host. */
    EMAIL_SMTP_REQUIRE_TLS: flagSetting(true),
    /** Off for a server with a certificate of its own making. */
    EMAIL_SMTP_VERIFY_TLS: flagSetting(true),
    /** What this client calls itself in EHLO; without it the name of the machine. */
    EMAIL_SMTP_NAME: z.string().optional(),
    /** Connections to the submission server, of one process. */
    EMAIL_SMTP_CONNECTIONS: z.coerce.number().int().min(1).max(500).default(10),
    /** How long the server may be silent. */
    EMAIL_SMTP_TIMEOUT_MS: z.coerce.number().int().min(500).default(120_000),
    /** A call does not wait longer for the backend: who is left by then gets the mail in the background. */
    EMAIL_CALL_DEADLINE_MS: z.coerce.number().int().min(100).default(20_000),
    /** How long a recipient is tried before the mail bounces. */
    EMAIL_RETRY_HOURS: z.coerce.number().positive().default(4),
    /** A send whose process died is taken up by another after this time. */
    EMAIL_LEASE_MS: z.coerce.number().int().min(500).default(15_000),
    /** Signs return paths, links and Message-IDs: the first signs, all are believed. */
    EMAIL_TOKEN_SECRET: secrets,
    /** The listener for what comes back; unset: there is none in this process. */
    EMAIL_RETURN_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
    EMAIL_RETURN_HOST: z.string().default('0.0.0.0'),
    /** The platform's own sender, of receipts and invitations. */
    EMAIL_PLATFORM_FROM: z.string().refine((text) => readEmailAddress(text) !== null, 'must be an email address'),
    EMAIL_PLATFORM_NAME: z.string().default('Heliograph'),
    /** PEM, and selector, of the DKIM key of the platform's own domain; unset: its mail is not signed here. */
    EMAIL_PLATFORM_DKIM_KEY: z.string().optional(),
    EMAIL_PLATFORM_DKIM_SELECTOR: z.string().default('heliograph'),
    /** Sends older than this are dropped, a week at a time. */
    EMAIL_RETENTION_DAYS: z.coerce.number().int().min(7).default(90),
    /** Writers of accepted sends; a workspace always has the same one. */
    EMAIL_ACCEPT_LANES: z.coerce.number().int().min(1).max(16).default(2),
    /** Sends in a worker's hands at once. */
    EMAIL_SEND_CONCURRENCY: z.coerce.number().int().min(1).max(1_000).default(50),
  })
  .refine((settings) => settings.PUBLIC_TRACKING_URL ?? settings.PUBLIC_BASE_URL, {
    path: ['PUBLIC_TRACKING_URL'],
    message: 'must be set, or PUBLIC_BASE_URL: links in mails begin with it',
  });

export type EmailApiSettings = z.output<typeof emailApiSettings>;

export function loadEmailApiSettings(environment: Record<string, string | undefined>): EmailApiSettings {
  return loadSettings(emailApiSettings, environment);
}

/** Without a slash at the end. */
export function trackingUrlOf(settings: EmailApiSettings): string {
  return (settings.PUBLIC_TRACKING_URL ?? settings.PUBLIC_BASE_URL ?? '').replace(/\/+$/, '');
}
