import type { AccountApiConfig } from '../../account-api.config';
import { CONSOLE_PATHS } from '../../console/paths';

/** Builds URLs in emails from the configuration, because clients control the Host header. */
export function invitationLink(config: AccountApiConfig, token: string): string {
  return fill(config.ACCOUNT_INVITATION_URL ?? pageOf(config, CONSOLE_PATHS.acceptInvitation), token);
}

export function passwordResetLink(config: AccountApiConfig, token: string): string {
  return fill(config.ACCOUNT_PASSWORD_RESET_URL ?? pageOf(config, CONSOLE_PATHS.resetPassword), token);
}

export function emailVerificationLink(config: AccountApiConfig, token: string): string {
  return fill(config.ACCOUNT_EMAIL_VERIFICATION_URL ?? pageOf(config, CONSOLE_PATHS.verifyEmail), token);
}

/** The base URL of this system, without a slash at the end. */
export function publicBaseUrl({ PUBLIC_BASE_URL, PORT }: AccountApiConfig): string {
  return (PUBLIC_BASE_URL ?? `http://localhost:${PORT}`).replace(/\/+$/, '');
}

function pageOf(config: AccountApiConfig, path: string): string {
  return `${publicBaseUrl(config)}${path}?token={token}`;
}

function fill(template: string, token: string): string {
  return template.replaceAll('{token}', token);
}
