import { z } from 'zod';
import { ControlError, type ControlApi } from '../control-api';
import { addBehaviourRoutes, parseControlBody } from '../control-body';
import { behaviourSchema } from './behaviour';
import { NoReturnPathError, NoSuchMailError, type MailboxSimulator } from './mailbox-simulator';
import { addMailboxPage } from './page/page-routes';

const address = z.string().regex(/^[^\s@<>]+@[^\s@<>]+$/, 'must be an address');
const notifyBody = z.strictObject({
  to: address,
  action: z.enum(['delivered', 'delayed', 'failed']),
  status: z.string().regex(/^[245]\.\d{1,3}\.\d{1,3}$/, 'must be an enhanced status such as 5.1.1'),
});
const complainBody = z.strictObject({ to: address });

/** Adds the routes of the mail server to the control API. */
export function addMailboxRoutes(api: ControlApi, mailbox: MailboxSimulator): void {
  const { behaviours } = mailbox;
  addMailboxPage(api, mailbox);
  addBehaviourRoutes(api, '/mailbox/behaviour', { recipient: address, schema: behaviourSchema, behaviours });
  api
    .route('GET', '/mailbox/messages', async ({ query }) => ({
      messages: await mailbox.messages(query.get('to') ?? undefined),
    }))
    .route('DELETE', '/mailbox/messages', () => mailbox.forgetMails())
    .route('GET', '/mailbox/totals', () => mailbox.totals)
    .route('POST', '/mailbox/notify', ({ body }) => reporting(mailbox.notify(parseControlBody(notifyBody, body))))
    .route('POST', '/mailbox/complain', ({ body }) =>
      reporting(mailbox.complain(parseControlBody(complainBody, body).to)),
    )
    .route('GET', '/mailbox/return-path', () => {
      if (!mailbox.returnPath) throw new ControlError(404, 'the simulator has no return path');
      return mailbox.returnPath;
    });
}

async function reporting(sent: Promise<void>): Promise<void> {
  try {
    await sent;
  } catch (error) {
    if (error instanceof NoSuchMailError) throw new ControlError(404, error.message);
    if (error instanceof NoReturnPathError) throw new ControlError(409, error.message);
    throw new ControlError(502, `the return path refused the report: ${reasonOf(error)}`);
  }
}

/** The reply of the listener, or the connection error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'response' in error && typeof error.response === 'string' ? error.response : error.message;
}
