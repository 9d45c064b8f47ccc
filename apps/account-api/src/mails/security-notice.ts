import { composeMail, type Mail } from '@heliograph/mails';
import { toMoment } from './moments';

const WORDS = {
  'password-changed': [
    'Your password was changed',
    'Your other sessions have ended: log in there with the new password.',
  ],
  'password-reset': ['Your password was reset', 'All your sessions have ended: log in with the new password.'],
  'mfa-enabled': [
    'Your second factor is switched on',
    'From now on a login asks for a code of your authenticator app. Keep the recovery codes where the app is not.',
  ],
  'mfa-disabled': ['Your second factor is switched off', 'From now on your password alone logs you in.'],
  'recovery-codes-renewed': ['You have new recovery codes', 'The recovery codes from before do not work any more.'],
} as const satisfies Record<string, readonly [title: string, consequence: string]>;

/** What of a person's own security has changed. */
export type SecurityChange = keyof typeof WORDS;

export interface ChangeOrigin {
  at: Date;
  ipAddress: string | null;
  userAgent: string | null;
}

export function securityNotice(change: SecurityChange, { at, ipAddress, userAgent }: ChangeOrigin): Mail {
  const [title, consequence] = WORDS[change];
  return composeMail(title, [
    { kind: 'heading', text: title },
    { kind: 'paragraph', text: consequence },
    {
      kind: 'facts',
      facts: [
        ['When', toMoment(at)],
        ['From', ipAddress ?? 'an unknown address'],
        ['With', userAgent ?? 'an unknown program'],
      ],
    },
    {
      kind: 'note',
      text: 'If it was not you, reset your password at once, end the sessions that you do not know, and tell an owner of your organization.',
    },
  ]);
}
