import { simulatedMailboxOf } from '@heliograph/addresses';
import type { RecipientEvent } from '../../events/recipient-event';

/** An event of a mail, without the mail and the time. */
export type SimulatedEvent = Pick<RecipientEvent, 'type' | 'url' | 'reason' | 'suppresses'>;

const plain = (type: RecipientEvent['type']): SimulatedEvent => ({ type, url: null, reason: null, suppresses: false });
const DELIVERED = plain('delivered');

/** By the mailbox; docs/guides/test-mode.md lists them. Mails to other addresses are delivered. */
const EVENTS: Readonly<Record<string, readonly SimulatedEvent[]>> = {
  bounced: [{ type: 'bounced', url: null, reason: '550 5.1.1 The mailbox does not exist.', suppresses: true }],
  'soft-bounced': [{ type: 'bounced', url: null, reason: '552 5.2.2 The mailbox is full.', suppresses: false }],
  complained: [DELIVERED, { ...plain('complained'), suppresses: true }],
  unsubscribed: [DELIVERED, { ...plain('unsubscribed'), suppresses: true }],
  opened: [DELIVERED, plain('opened')],
  clicked: [DELIVERED, plain('opened'), { ...plain('clicked'), url: 'https://simulator.test/link' }],
  accepted: [],
};

/** What happens to an accepted mail of a test organization, in this order. */
export function simulatedEventsOf(address: string): readonly SimulatedEvent[] {
  return EVENTS[simulatedMailboxOf(address) ?? ''] ?? [DELIVERED];
}
