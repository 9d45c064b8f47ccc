import { plainText } from '@heliograph/mails';
import type { SentMail } from './mails.repository';
import type { Page } from './page';

/** The field of the page's own form. */
export const CONFIRMATION = { name: 'confirm', value: 'unsubscribe' } as const;

const LONGEST_NAME = 80;

/** Asks. `mail` is null where it could not be looked up: the page works without. */
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
    note: 'Nothing has changed yet. If you came here by mistake, just close this page.',
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
          ' will send no more mail to ',
          { strong: maskAddress(mail.address) },
          '.',
        ]
      : ['This sender will send no more mail to your address.'],
    note: 'Mail that is on its way already may still arrive. You can close this page.',
  };
}

export const UNKNOWN_LINK_PAGE: Page = {
  status: 404,
  mark: 'problem',
  title: 'This link does not work',
  text: ['It may be incomplete, or older than we keep records. Open the newest mail of the sender and use its link.'],
};

export const TRY_AGAIN_PAGE: Page = {
  status: 503,
  mark: 'problem',
  title: 'That did not work just now',
  text: ['You are not unsubscribed yet: our records cannot be reached. Please try again in a minute.'],
  form: { button: 'Try again', fields: { [CONFIRMATION.name]: CONFIRMATION.value } },
  headers: { 'Retry-After': '60' },
};

/** `jane@acme.example` as `j•••@acme.example`: enough to know one's own address by. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = Array.from(address.slice(0, at));
  return plainText(`${first}•••${address.slice(at)}`, LONGEST_NAME);
}
