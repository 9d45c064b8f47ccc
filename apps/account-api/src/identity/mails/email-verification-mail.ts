import { composeMail, formatTimestamp, type Mail } from '@heliograph/system-mail';

export interface EmailVerificationDetails {
  link: string;
  registeredAt: Date;
  expiresAt: Date;
}

export function emailVerificationMail({ link, registeredAt, expiresAt }: EmailVerificationDetails): Mail {
  return composeMail('Verify your email address', [
    { kind: 'heading', text: 'Verify your email address' },
    { kind: 'paragraph', text: 'Someone registered an account with this address. Verify it to start sending.' },
    { kind: 'button', label: 'Verify email address', url: link },
    {
      kind: 'facts',
      facts: [
        ['Registered', formatTimestamp(registeredAt)],
        ['Valid until', formatTimestamp(expiresAt)],
      ],
    },
    {
      kind: 'note',
      text: 'If you did not register at this time, ignore this email. The account cannot be used for anything until the address is verified.',
    },
  ]);
}
