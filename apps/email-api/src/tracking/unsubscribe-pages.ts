import { plainText } from '@heliograph/mail-layout';
import type { SentMail } from './mails.repository';
import type { Page } from './page';

/** The form field of the confirmation page. */
export const CONFIRMATION = { name: 'confirm', value: 'unsubscribe' } as const;

const LONGEST_NAME = 80;

/** The confirmation page. `mail` is null if it could not be looked up. */
export function confirmPage(mail: Pick<SentMail, 'sender' | 'address'> | null): Page {
  const sender = mail ? { strong: plainText(mail.sender, LONGEST_NAME) } : 'this sender';
  return {
    status: 200,
    mark: 'question',
    title: 'Unsubscribe?',
    text: mail
      ? ['Stop all mail from ', sender, ' to ', { strong: maskAddress(mail.address) }, '.']
      : ['Stop all mail from this sender to your address.'],
    form: { button: 'Unsubscribe', fields: { [CONFIRMATION.name]: CONFIRMATION.value } },
    note: 'Nothing has changed yet. If you opened this page by mistake, close it.',
  };
}

export function donePage(mail: Pick<SentMail, 'sender' | 'address'> | null): Page {
  return {
    status: 200,
    mark: 'done',
    title: 'You are unsubscribed',
    text: mail
      ? [
          { strong: plainText(mail.sender, LONGEST_NAME) },
          ' will not send any more mail to ',
          { strong: maskAddress(mail.address) },
          '.',
        ]
      : ['This sender will not send any more mail to your address.'],
    note: 'Mail that has already been sent may still arrive. You can close this page.',
  };
}

export const UNKNOWN_LINK_PAGE: Page = {
  status: 404,
  mark: 'problem',
  title: 'This link does not work',
  text: ['The link is incomplete or has expired. Open the latest mail of the sender and use its link.'],
};

export const TRY_AGAIN_PAGE: Page = {
  status: 503,
  mark: 'problem',
  title: 'Temporary problem',
  text: ['You are not unsubscribed yet because the service is temporarily unavailable. Please try again in a minute.'],
  form: { button: 'Try again', fields: { [CONFIRMATION.name]: CONFIRMATION.value } },
  headers: { 'Retry-After': '60' },
};

/** Masks `jane@acme.example` as `j•••@acme.example`. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = Array.from(address.slice(0, at));
  return plainText(`${first}•••${address.slice(at)}`, LONGEST_NAME);
}
