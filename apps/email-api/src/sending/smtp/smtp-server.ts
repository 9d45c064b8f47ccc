import type { SMTPConnectionOptions } from 'nodemailer/lib/smtp-connection';
import type { EmailApiConfig } from '../../email-api.config';

export interface SmtpServer {
  connection: SMTPConnectionOptions;
  credentials: { user: string; pass: string } | null;
}

const CONNECT_TIMEOUT_MS = 10_000;

/** Converts the config to the options of the SMTP client. */
export function smtpServerOf(config: EmailApiConfig): SmtpServer {
  const url = new URL(config.EMAIL_SMTP_URL);
  const secure = url.protocol === 'smtps:';
  const connectTimeout = Math.min(CONNECT_TIMEOUT_MS, config.EMAIL_SMTP_TIMEOUT_MS);
  return {
    connection: {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
      secure,
      requireTLS: !secure && config.EMAIL_SMTP_REQUIRE_TLS,
      tls: { rejectUnauthorized: config.EMAIL_SMTP_VERIFY_TLS },
      name: config.EMAIL_SMTP_NAME,
      connectionTimeout: connectTimeout,
      greetingTimeout: connectTimeout,
      socketTimeout: config.EMAIL_SMTP_TIMEOUT_MS,
    },
    credentials:
      url.username === '' ? null : { user: decodeURIComponent(url.username), pass: decodeURIComponent(url.password) },
  };
}
