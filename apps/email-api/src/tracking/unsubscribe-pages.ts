import { MARKETING } from '@heliograph/email-catalog';
import { plainText } from '@heliograph/mail-layout';
import type { SentMail } from './mails.repository';
import type { Page } from './page';

/** The form field of the confirmation page. */
export const CONFIRMATION = { name: 'confirm', value: 'unsubscribe' } as const;

const LONGEST_NAME = 80;

type ShownMail = Pick<SentMail, 'sender' | 'address' | 'scope'>;

/** The confirmation page. `mail` is null if it could not be looked up. */
export function confirmPage(mail: ShownMail | null): Page {
  return {
    status: 200,
    mark: 'question',
    title: 'Unsubscribe?',
    text: mail
      ? ['Stop ', ...kindOf(mail), ' from ', senderOf(mail), ' to ', { strong: maskAddress(mail.address) }, '.']
      : ['Stop this kind of mail from the sender to your address.'],
    form: { button: 'Unsubscribe', fields: { [CONFIRMATION.name]: CONFIRMATION.value } },
    note: 'Nothing has changed yet. If you opened this page by mistake, close it.',
  };
}

export function donePage(mail: ShownMail | null): Page {
  return {
    status: 200,
    mark: 'done',
    title: 'You are unsubscribed',
    text: mail
      ? [
          senderOf(mail),
          ' will not send ',
          ...kindOf(mail),
          ' to ',
          { strong: maskAddress(mail.address) },
          ' any more.',
        ]
      : ['The sender will not send this kind of mail to your address any more.'],
    note: 'Mail that was already sent, and other mail such as receipts, may still arrive. You can close this page.',
  };
}

function senderOf({ sender }: ShownMail): { strong: string } {
  return { strong: plainText(sender, LONGEST_NAME) };
}

function kindOf({ scope }: ShownMail): Page['text'] {
  return scope === MARKETING ? ['marketing mail'] : ['mail of the list ', { strong: scope }];
}

export const UNKNOWN_LINK_PAGE: Page = {
  status: 404,
  mark: 'problem',
  title: 'This link does not work',
  text: ['The link is incomplete or has expired. Use the link in the latest mail of the sender.'],
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
function maskAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = Array.from(address.slice(0, at));
  return plainText(`${first}•••${address.slice(at)}`, LONGEST_NAME);
}
