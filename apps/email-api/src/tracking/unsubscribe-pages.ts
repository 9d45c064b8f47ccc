import { MARKETING } from '@heliograph/email-catalog';
import { plainText } from '@heliograph/service-kit';
import type { Page } from '@heliograph/service-kit';
import type { SentMail } from './mails.repository';

/** The form field of the confirmation page. */
export const CONFIRMATION = { name: 'confirm', value: 'unsubscribe' } as const;

/** The form field that undoes the unsubscribe. */
export const UNDO = { name: 'confirm', value: 'resubscribe' } as const;

const LONGEST_NAME = 80;

const UNSUBSCRIBE_FORM = {
  button: 'Unsubscribe',
  hidden: { [CONFIRMATION.name]: CONFIRMATION.value },
};
const UNDO_FORM = {
  button: 'Undo and subscribe again',
  hidden: { [UNDO.name]: UNDO.value },
  isSecondary: true,
};

type ShownMail = Pick<SentMail, 'sender' | 'address' | 'scope' | 'isUnsubscribed'>;

/** The confirmation page. `mail` is null if it could not be looked up. */
export function confirmPage(mail: ShownMail | null): Page {
  return {
    mark: 'mail',
    title: 'Unsubscribe?',
    text: mail
      ? ['Stop ', ...kindOf(mail), ' from ', senderOf(mail), ' to ', { strong: maskAddress(mail.address) }, '.']
      : ['Stop this kind of mail from the sender to your address.'],
    form: UNSUBSCRIBE_FORM,
    note: ['Nothing has changed yet. If you opened this page by mistake, close it.'],
  };
}

/** The page after an unsubscribe. If the link made the suppression, the page offers to undo it. */
export function donePage(mail: ShownMail | null): Page {
  return {
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
    ...(mail?.isUnsubscribed === false ? {} : { form: UNDO_FORM }),
    note: ['Mail that was already sent, and other mail such as receipts, may still arrive. You can close this page.'],
  };
}

/** The page after the unsubscribe was undone. */
export function subscribedPage(mail: ShownMail | null): Page {
  return {
    mark: 'done',
    title: 'You are subscribed again',
    text: mail
      ? [senderOf(mail), ' may send ', ...kindOf(mail), ' to ', { strong: maskAddress(mail.address) }, ' again.']
      : ['The sender may send this kind of mail to your address again.'],
    form: { ...UNSUBSCRIBE_FORM, isSecondary: true },
    note: ['You can close this page.'],
  };
}

/** The page if something else than the link stops the mail, which the link therefore cannot undo. */
export function stillUnsubscribedPage(mail: ShownMail): Page {
  return {
    mark: 'problem',
    title: 'You are still unsubscribed',
    text: [senderOf(mail), ' will not send ', ...kindOf(mail), ' to ', { strong: maskAddress(mail.address) }, '.'],
    note: [
      'You unsubscribed with another mail, or mail to this address was stopped for another reason. Use the link in the other mail, or ask the sender.',
    ],
  };
}

function senderOf({ sender }: ShownMail): { strong: string } {
  return { strong: plainText(sender, LONGEST_NAME) };
}

function kindOf({ scope }: ShownMail): Page['text'] {
  return scope === MARKETING ? ['marketing mail'] : ['mail of the list ', { strong: scope }];
}

export const UNKNOWN_LINK_PAGE = {
  status: 404,
  mark: 'problem',
  title: 'This link does not work',
  text: ['The link is incomplete or has expired. Use the link in the latest mail of the sender.'],
} as const satisfies Page;

const UNAVAILABLE = {
  status: 503,
  mark: 'problem',
  title: 'Temporary problem',
  headers: { 'Retry-After': '60' },
} as const;

export const TRY_AGAIN_PAGE: Page = {
  ...UNAVAILABLE,
  text: ['You are not unsubscribed yet because the service is temporarily unavailable. Please try again in a minute.'],
  form: { ...UNSUBSCRIBE_FORM, button: 'Try again' },
};

export const TRY_UNDO_AGAIN_PAGE: Page = {
  ...UNAVAILABLE,
  text: ['You are still unsubscribed because the service is temporarily unavailable. Please try again in a minute.'],
  form: { ...UNDO_FORM, button: 'Try again' },
};

/** Masks `jane@acme.example` as `j•••@acme.example`. */
function maskAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = Array.from(address.slice(0, at));
  return plainText(`${first}•••${address.slice(at)}`, LONGEST_NAME);
}
