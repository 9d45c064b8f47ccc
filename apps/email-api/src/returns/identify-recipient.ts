import type { RecipientRef } from '../events/recipient-event';
import type { RecipientTokens } from '../tokens/recipient-tokens';
import type { Complaint } from './notifications/feedback-report';

/** Mailboxes for abuse reports that are not sent to the envelope sender (RFC 2142, RFC 6449). */
const REPORT_MAILBOXES = new Set(['abuse', 'fbl', 'postmaster']);

export function isReportMailbox(address: string): boolean {
  return REPORT_MAILBOXES.has(localPartOf(address).toLowerCase());
}

/** The recipient for which this return path was generated; null for other addresses. */
export function refOfAddress(tokens: RecipientTokens, address: string): RecipientRef | null {
  return tokens.readReturnPath(localPartOf(address));
}

/** The recipient of a complaint, identified by the quoted mail; null if it cannot be identified. */
export function refOfComplaint(tokens: RecipientTokens, { original }: Complaint): RecipientRef | null {
  const { returnPaths, messageId, listUnsubscribe } = original;
  for (const address of returnPaths) {
    const ref = refOfAddress(tokens, address);
    if (ref) return ref;
  }
  const byMessageId = messageId === null ? null : tokens.readMessageId(messageId);
  return byMessageId ?? (listUnsubscribe === null ? null : tokens.readUnsubscribeHeader(listUnsubscribe));
}

function localPartOf(address: string): string {
  const at = address.lastIndexOf('@');
  return at < 0 ? address : address.slice(0, at);
}
