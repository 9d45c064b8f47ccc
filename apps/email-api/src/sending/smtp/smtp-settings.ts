import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import type { EmailApiSettings } from '../../email-api.config';

export interface SmtpServer {
  connection: SMTPConnectionOptions;
  credentials: { user: string; pass: string } | null;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** Converts the config to the options of the SMTP client. */
export function smtpServerOf(settings: EmailApiSettings): SmtpServer {
  const url = new URL(settings.EMAIL_SMTP_URL);
  const secure = url.protocol === 'smtps:';
  const connectTimeout = Math.min(CONNECT_TIMEOUT_MS, settings.EMAIL_SMTP_TIMEOUT_MS);
  return {
    connection: {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
      secure,
      requireTLS: !secure && settings.EMAIL_SMTP_REQUIRE_TLS,
      tls: { rejectUnauthorized: settings.EMAIL_SMTP_VERIFY_TLS },
      name: settings.EMAIL_SMTP_NAME,
      connectionTimeout: connectTimeout,
      greetingTimeout: connectTimeout,
      socketTimeout: settings.EMAIL_SMTP_TIMEOUT_MS,
    },
    credentials:
      url.username === '' ? null : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
  };
}
