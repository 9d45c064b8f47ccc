import type { AccountApiConfig } from '../account-api.config';

/** Builds URLs in emails from the configuration, because clients control the Host header. */
export function invitationLink(config: AccountApiConfig, token: string): string {
  return fill(config.ACCOUNT_INVITATION_URL ?? `${baseOf(config)}/api/auth/invitations/{token}`, token);
}

export function passwordResetLink(config: AccountApiConfig, token: string): string {
  return fill(config.ACCOUNT_PASSWORD_RESET_URL ?? `${baseOf(config)}/api/auth/password-resets/{token}`, token);
}

/** Links of the v1 API contain the token in the query string. */
export function v1PasswordResetLink(config: AccountApiConfig, token: string): string {
  const page = config.ACCOUNT_PASSWORD_RESET_URL ?? `${baseOf(config)}/api/v1/auth/reset-password?token={token}`;
  return fill(page, token);
}

export function emailVerificationLink(config: AccountApiConfig, token: string): string {
  const page = config.ACCOUNT_EMAIL_VERIFICATION_URL ?? `${baseOf(config)}/api/v1/auth/verify-email?token={token}`;
  return fill(page, token);
}

function baseOf({ PUBLIC_BASE_URL, PORT }: AccountApiConfig): string {
  return (PUBLIC_BASE_URL ?? `http://localhost:${PORT}`).replace(/\/+$/, '');
}

function fill(template: string, token: string): string {
  return template.replaceAll('{token}', token);
}
