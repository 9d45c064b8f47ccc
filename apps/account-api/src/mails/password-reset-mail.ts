import { composeMail, type Mail } from '@heliograph/mails';
import { toMoment } from './moments';

export interface PasswordResetDetails {
  link: string;
  expiresAt: Date;
  /** Where it was asked for; null when that is unknown. */
  ipAddress: string | null;
}

export function passwordResetMail({ link, expiresAt, ipAddress }: PasswordResetDetails): Mail {
  return composeMail('Choose a new password', [
    { kind: 'heading', text: 'Choose a new password' },
    { kind: 'paragraph', text: 'Somebody, probably you, has told us that the password of this address is forgotten.' },
    { kind: 'button', label: 'Choose a new password', url: link },
    {
      kind: 'facts',
      facts: [
        ['Works until', toMoment(expiresAt)],
        ['Asked for from', ipAddress ?? 'an unknown address'],
      ],
    },
    {
      kind: 'note',
      text: 'The link works once. If it was not you, ignore this mail: your password stays as it is.',
    },
  ]);
}
