import { composeMail, formatTimestamp, type Mail } from '@heliograph/system-mail';

const WORDS = {
  'password-changed': [
    'Your password was changed',
    'Your other sessions were ended. Log in again with the new password.',
  ],
  'password-reset': ['Your password was reset', 'All your sessions were ended. Log in with the new password.'],
  'mfa-enabled': [
    'Multi-factor authentication was enabled',
    'Logins now require a code from your authenticator app. Do not store the recovery codes in the same place as the app.',
  ],
  'mfa-disabled': ['Multi-factor authentication was disabled', 'Logins now require only your password.'],
  'recovery-codes-renewed': ['New recovery codes were generated', 'The previous recovery codes no longer work.'],
} as const satisfies Record<string, readonly [title: string, consequence: string]>;

/** A change of the security settings of a user. */
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
        ['When', formatTimestamp(at)],
        ['From', ipAddress ?? 'an unknown address'],
        ['With', userAgent ?? 'an unknown client'],
      ],
    },
    {
      kind: 'note',
      text: 'If this was not you, reset your password immediately, end all unknown sessions, and inform an owner of your organization.',
    },
  ]);
}
