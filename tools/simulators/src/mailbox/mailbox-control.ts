import { z } from 'zod';
import { ControlError, type ControlApi } from '../control-api';
import { parseControlBody } from '../control-body';
import { behaviourSchema } from './behaviour';
import { NoReturnPathError, NoSuchMailError, type MailboxSimulator } from './mailbox-simulator';
import { addMailboxPage } from './page/page-routes';

const address = z.string().regex(/^[^\s@<>]+@[^\s@<>]+$/, 'must be an address');
const match = z.strictObject({ to: address });
const putBody = z.strictObject({ match: match.optional(), ...behaviourSchema.shape });
const deleteBody = z.strictObject({ match: match.optional() }).optional();
const notifyBody = z.strictObject({
  to: address,
  action: z.enum(['delivered', 'delayed', 'failed']),
  status: z.string().regex(/^[245]\.\d{1,3}\.\d{1,3}$/, 'must be an enhanced status such as 5.1.1'),
});
const complainBody = z.strictObject({ to: address });

/** The mail server's part of the control API. */
export function addMailboxRoutes(api: ControlApi, mailbox: MailboxSimulator): void {
  addMailboxPage(api, mailbox);
  api
    .route('GET', '/mailbox/messages', async ({ query }) => ({
      messages: await mailbox.messages(query.get('to') ?? undefined),
    }))
    .route('DELETE', '/mailbox/messages', () => mailbox.forgetMails())
    .route('GET', '/mailbox/totals', () => mailbox.totals)
    .route('PUT', '/mailbox/behaviour', ({ body }) => {
      const { match: recipient, ...behaviour } = parseControlBody(putBody, body ?? {});
      mailbox.behave(behaviour, recipient?.to);
    })
    .route('DELETE', '/mailbox/behaviour', ({ body }) => {
      mailbox.behaviours.reset(parseControlBody(deleteBody, body)?.match?.to);
    })
    .route('POST', '/mailbox/notify', ({ body }) => reporting(mailbox.notify(parseControlBody(notifyBody, body))))
    .route('POST', '/mailbox/complain', ({ body }) =>
      reporting(mailbox.complain(parseControlBody(complainBody, body).to)),
    )
    .route('GET', '/mailbox/return-path', () => {
      if (!mailbox.returnPath) throw new ControlError(404, 'nothing listens at the return path');
      return mailbox.returnPath;
    });
}

async function reporting(sent: Promise<void>): Promise<void> {
  try {
    await sent;
  } catch (error) {
    if (error instanceof NoSuchMailError) throw new ControlError(404, error.message);
    if (error instanceof NoReturnPathError) throw new ControlError(409, error.message);
    throw new ControlError(502, `the return path did not take the report: ${reasonOf(error)}`);
  }
}

/** What the listener said; else what went wrong on the way to it. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'response' in error && typeof error.response === 'string' ? error.response : error.message;
}
