import { composeMail, type Mail } from '@heliograph/system-mail';

/** Composes the email to a user whose address was used for another registration. */
export function existingAccountMail(): Mail {
  return composeMail('You already have an account', [
    { kind: 'heading', text: 'You already have an account' },
    { kind: 'paragraph', text: 'Someone tried to register a new account with this address. Nothing was created.' },
    { kind: 'note', text: 'If it was you, log in, or reset your password. Otherwise ignore this email.' },
  ]);
}
