import { simulatedMailboxOf } from '@heliograph/addresses';
import { LRUCache } from 'lru-cache';
import { outcomeOf, type OutboundMail, type SubmitOutcome } from '../smtp/submit-outcome';

/** The response of a mail server that does not accept a mail. */
interface Refusal {
  command: 'RCPT TO' | 'DATA';
  response: string;
  /** Whether the server accepts the mail the next time. */
  isOnce?: boolean;
}

/** By the mailbox; docs/guides/test-mode.md lists them. Mails to other addresses are accepted. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  refused: { command: 'RCPT TO', response: '550 5.1.1 The mailbox does not exist.' },
  full: { command: 'RCPT TO', response: '552 5.2.2 The mailbox is full.' },
  blocked: { command: 'DATA', response: '550 5.7.1 The message was blocked by a policy of the recipient.' },
  unreachable: { command: 'RCPT TO', response: '451 4.4.1 The mail server of the recipient does not respond.' },
  slow: { command: 'RCPT TO', response: '451 4.2.0 Try again later.', isOnce: true },
  throttled: { command: 'RCPT TO', response: '450 4.7.1 Too many messages in a short time.', isOnce: true },
};

const MAX_REFUSED = 10_000;

/** The mail server of test organizations: it answers by the address of the recipient, and connects to nothing. */
export class TestSession {
  /** The return paths of mails that were refused once. A process that restarts refuses them once more. */
  private readonly refused = new LRUCache<string, true>({ max: MAX_REFUSED });

  /** Like a submission to a mail server: `beforeData` runs before content would be sent. */
  async submit(mail: OutboundMail, beforeData: (() => Promise<void>) | null): Promise<SubmitOutcome> {
    const mailbox = simulatedMailboxOf(mail.to) ?? '';
    const refusal = REFUSALS[mailbox];
    if (refusal && !(refusal.isOnce && this.refused.has(mail.from))) {
      this.refused.set(mail.from, true);
      const { command, response } = refusal;
      return outcomeOf({ message: response, command, response, responseCode: Number(response.slice(0, 3)) }, false);
    }
    try {
      await beforeData?.();
    } catch (error) {
      return outcomeOf(error, false);
    }
    if (mailbox === 'uncertain') return { kind: 'uncertain', reason: 'The connection closed before the response.' };
    return { kind: 'accepted' };
  }
}
