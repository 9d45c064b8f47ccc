import { composeMail, formatTimestamp, type Mail } from '@heliograph/system-mail';

export interface PasswordResetDetails {
  link: string;
  expiresAt: Date;
  /** Address of the requester; null if unknown. */
  ipAddress: string | null;
}

export function passwordResetMail({ link, expiresAt, ipAddress }: PasswordResetDetails): Mail {
  return composeMail('Choose a new password', [
    { kind: 'heading', text: 'Choose a new password' },
    { kind: 'paragraph', text: 'We received a request to reset the password of this account.' },
    { kind: 'button', label: 'Choose a new password', url: link },
    {
      kind: 'facts',
      facts: [
        ['Valid until', formatTimestamp(expiresAt)],
        ['Requested from', ipAddress ?? 'an unknown address'],
      ],
    },
    {
      kind: 'note',
      text: 'The link works once. If you did not request it, ignore this email: your password does not change.',
    },
  ]);
}
