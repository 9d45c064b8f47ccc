import type { AccountApiSettings } from '../account-api.config';

/** Addresses in mails come from the settings, never from the call: its Host is the caller's word. */
export function invitationLink(settings: AccountApiSettings, token: string): string {
  return fill(settings.ACCOUNT_INVITATION_URL ?? `${baseOf(settings)}/api/auth/invitations/{token}`, token);
}

export function passwordResetLink(settings: AccountApiSettings, token: string): string {
  return fill(settings.ACCOUNT_PASSWORD_RESET_URL ?? `${baseOf(settings)}/api/auth/password-resets/{token}`, token);
}

function baseOf({ PUBLIC_BASE_URL, PORT }: AccountApiSettings): string {
  return (PUBLIC_BASE_URL ?? `http://localhost:${PORT}`).replace(/\/+$/, '');
}

function fill(template: string, token: string): string {
  return template.replaceAll('{token}', token);
}
