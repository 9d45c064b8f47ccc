import { plainText } from '@heliograph/mails';
import type { RecipientEventType } from '../../events/recipient-event';
import type { DeliveryReport } from './delivery-status';
import type { Notification } from './read-notification';

/** What a notification says happened to the one recipient that it is about. */
export type NotifiedOutcome =
  | {
      type: Extract<RecipientEventType, 'bounced' | 'complained' | 'delivered'>;
      reason: string | null;
      suppresses: boolean;
    }
  /** The mail is still on its way, or nothing is known. */
  | { type: 'delayed' }
  | { type: 'nothing' };

const MAX_REASON_LENGTH = 500;
const COMPLAINTS = new Set(['abuse', 'fraud', 'other']);
/** The address itself is bad (RFC 3463, 3.2): more mail to it would harm the name of the sender. */
const BAD_ADDRESS = /^5\.1\./;
/** Permanent, and nothing more is known (RFC 3463). */
const UNKNOWN_FAILURE = '5.0.0';

export function outcomeOf(notification: Notification): NotifiedOutcome {
  if (notification.kind === 'delivery') return deliveryOutcome(notification.reports);
  const { feedbackType } = notification;
  if (!COMPLAINTS.has(feedbackType)) return { type: 'nothing' };
  return { type: 'complained', reason: feedbackType, suppresses: true };
}

/**
 * There are several reports where the address stands for several mailboxes: it bounced when none of them took the
 * mail, and it was delivered when one did.
 */
function deliveryOutcome(reports: DeliveryReport[]): NotifiedOutcome {
  const failures = reports.filter(({ action }) => action === 'failed');
  const [first] = failures;
  if (first && failures.length === reports.length) {
    return {
      type: 'bounced',
      reason: plainText(first.diagnostic ?? first.status ?? UNKNOWN_FAILURE, MAX_REASON_LENGTH) || UNKNOWN_FAILURE,
      suppresses: failures.every(({ status }) => BAD_ADDRESS.test(status ?? '')),
    };
  }
  if (reports.some(({ action }) => action === 'delivered')) {
    return { type: 'delivered', reason: null, suppresses: false };
  }
  return reports.some(({ action }) => action === 'delayed') ? { type: 'delayed' } : { type: 'nothing' };
}
