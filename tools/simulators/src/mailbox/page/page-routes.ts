import { ControlError, ControlPage, type ControlApi, type ControlRequest } from '../../control-api';
import type { StoredMail } from '../inbox';
import { readAttachments, readMail, readPage } from '../mail-message';
import type { MailboxSimulator } from '../mailbox-simulator';
import { inboxPage, mailPage } from './inbox-page';
import { isLike, summaryOf } from './mail-summary';

const MAX_LISTED = 2_000;

/** Adds the page that shows the emails, and its routes. */
export function addMailboxPage(api: ControlApi, mailbox: MailboxSimulator): void {
  const mailOf = ({ params }: ControlRequest): StoredMail => {
    const mail = mailbox.mail(Number(params['id']));
    if (!mail) throw new ControlError(404, 'the email does not exist or is no longer retained');
    return mail;
  };
  api
    .route('GET', '/mailbox', () => inboxPage())
    .route('GET', '/mailbox/inbox', async ({ query }) => {
      const search = query.get('search') ?? '';
      const limit = Math.min(Math.max(Number(query.get('limit')) || 100, 1), MAX_LISTED);
      const found = mailbox.mails().filter((mail) => search === '' || isLike(mail, search));
      const mails = await Promise.all(found.slice(-limit).reverse().map(summaryOf));
      return { mails, total: found.length, received: mailbox.totals.received };
    })
    .route('GET', '/mailbox/inbox/:id', (request) => readMail(mailOf(request)))
    .route('GET', '/mailbox/inbox/:id/html', async (request) =>
      mailPage(await readPage(mailOf(request)), request.query.get('images') === '1'),
    )
    .route('GET', '/mailbox/inbox/:id/attachments/:index', async (request) => {
      const attachments = await readAttachments(mailOf(request));
      const attachment = attachments[Number(request.params['index'])];
      if (!attachment) throw new ControlError(404, 'the email has no such attachment');
      // Never the stated type: an HTML attachment would run with the rights of this origin.
      return new ControlPage(attachment.content, 'application/octet-stream', {
        'content-disposition': `attachment; filename*=UTF-8''${encodeName(attachment.filename ?? 'attachment')}`,
        'content-security-policy': "sandbox; default-src 'none'",
        'x-content-type-options': 'nosniff',
      });
    });
}

/** Encodes a file name (RFC 8187) without path separators and control characters. */
function encodeName(name: string): string {
  const plain = name.toWellFormed().replace(/[/\\\0-\x1f]/g, '_');
  return encodeURIComponent(plain).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}
