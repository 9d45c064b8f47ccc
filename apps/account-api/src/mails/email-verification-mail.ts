import { composeMail, formatTimestamp, type Mail } from '@heliograph/mail-layout';

export interface EmailVerificationDetails {
  link: string;
  expiresAt: Date;
}

export function emailVerificationMail({ link, expiresAt }: EmailVerificationDetails): Mail {
  return composeMail('Verify your email address', [
    { kind: 'heading', text: 'Verify your email address' },
    { kind: 'paragraph', text: 'Someone registered an account with this address. Verify it to start sending.' },
    { kind: 'button', label: 'Verify email address', url: link },
    { kind: 'facts', facts: [['Valid until', formatTimestamp(expiresAt)]] },
    { kind: 'note', text: 'If you did not register, ignore this email. The account cannot be used to send messages.' },
  ]);
}
