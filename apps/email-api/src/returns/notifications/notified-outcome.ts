import { plainText } from '@heliograph/service-kit';
import type { RecipientEventType } from '../../events/recipient-event';
import { isDeadDomain, isInvalidAddress, isUnknownMailbox, UNKNOWN_FAILURE } from '../../events/invalid-address';
import type { DeliveryReport } from './delivery-status';
import type { Notification } from './read-notification';

/** The outcome that a notification reports for its recipient. */
export type NotifiedOutcome =
  | {
      type: Extract<RecipientEventType, 'bounced' | 'complained' | 'delivered'>;
      reason: string | null;
      suppresses: boolean;
      /** The domain of the recipient has no mail server. */
      deadDomain?: boolean;
    }
  /** Delivery is still in progress, or the outcome is unknown. */
  | { type: 'delayed' }
  | { type: 'nothing' };

const MAX_REASON_LENGTH = 500;
const COMPLAINTS = new Set(['abuse', 'fraud', 'other']);

export function outcomeOf(notification: Notification): NotifiedOutcome {
  if (notification.kind === 'delivery') return deliveryOutcome(notification.reports);
  const { feedbackType } = notification;
  if (!COMPLAINTS.has(feedbackType)) return { type: 'nothing' };
  return { type: 'complained', reason: feedbackType, suppresses: true };
}

/**
 * An address that expands to several mailboxes has several reports: the mail bounced if all reports are failures, and
 * was delivered if one report is a delivery or a relay to a server that reports no delivery.
 */
function deliveryOutcome(reports: DeliveryReport[]): NotifiedOutcome {
  const failures = reports.filter(({ action }) => action === 'failed');
  const [first] = failures;
  if (first && failures.length === reports.length) {
    return {
      type: 'bounced',
      reason: plainText(first.diagnostic ?? first.status ?? UNKNOWN_FAILURE, MAX_REASON_LENGTH) || UNKNOWN_FAILURE,
      suppresses: failures.every(
        ({ status, diagnostic }) => isInvalidAddress(status) || isUnknownMailbox(status, diagnostic),
      ),
      deadDomain: failures.every(({ status, diagnostic }) => isDeadDomain(status, diagnostic)),
    };
  }
  if (reports.some(({ action }) => action === 'delivered')) {
    return { type: 'delivered', reason: null, suppresses: false };
  }
  // The next server sends no notifications (RFC 3461, section 5.2.2), so this is the last one unless the mail bounces.
  if (reports.some(({ action }) => action === 'relayed')) {
    return { type: 'delivered', reason: 'relayed', suppresses: false };
  }
  return reports.some(({ action }) => action === 'delayed') ? { type: 'delayed' } : { type: 'nothing' };
}
