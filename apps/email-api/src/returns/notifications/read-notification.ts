import { readDeliveryStatus, type DeliveryReport } from './delivery-status';
import { readFeedbackReport, type Complaint } from './feedback-report';
import { readHeaderFields, type HeaderFields } from './header-fields';
import { decodedBody, partsOf, readPart, type MimePart } from './mime-parts';
import { readQmailNotice } from './qmail-notice';

export type Notification = { kind: 'delivery'; reports: DeliveryReport[] } | ({ kind: 'complaint' } & Complaint);

const MAX_DEPTH = 5;
const DELIVERY_STATUS = new Set(['message/delivery-status', 'message/global-delivery-status']);
const FEEDBACK_REPORT = 'message/feedback-report';
const QUOTED_MAIL = new Set([
  'message/rfc822',
  'message/global',
  'message/rfc822-headers',
  'message/global-headers',
  'text/rfc822-headers',
]);

/**
 * Reads a mail that came back: a delivery notification (RFC 3464, and qmail's) or an abuse report (RFC 5965). Null for
 * anything else, such as an answer of an absent person. Never throws; takes time proportional to the mail's size.
 */
export function readNotification(raw: Buffer): Notification | null {
  const mail = readPart(raw.toString('latin1'));
  if (mail.type.startsWith('multipart/')) return findReport(mail, 1);
  const reports = mail.type === 'text/plain' ? readQmailNotice(mail.body) : [];
  return reports.length > 0 ? { kind: 'delivery', reports } : null;
}

/** Gateways put reports into mails of several parts; a mail that is attached to another is never looked into. */
function findReport(part: MimePart, depth: number): Notification | null {
  const parts = [...partsOf(part)];
  const report = part.type === 'multipart/report' ? readReport(parts) : null;
  if (report || depth >= MAX_DEPTH) return report;
  for (const inner of parts) {
    const found = inner.boundary === null ? null : findReport(inner, depth + 1);
    if (found) return found;
  }
  return null;
}

function readReport(parts: MimePart[]): Notification | null {
  const status = parts.find(({ type }) => DELIVERY_STATUS.has(type));
  if (status) {
    const reports = readDeliveryStatus(decodedBody(status));
    return reports.length > 0 ? { kind: 'delivery', reports } : null;
  }
  const feedback = parts.find(({ type }) => type === FEEDBACK_REPORT);
  const complaint = feedback ? readFeedbackReport(decodedBody(feedback), quotedFields(parts)) : null;
  return complaint && { kind: 'complaint', ...complaint };
}

function quotedFields(parts: MimePart[]): HeaderFields | null {
  const quoted = parts.find(({ type }) => QUOTED_MAIL.has(type));
  return quoted ? readHeaderFields(decodedBody(quoted).trimStart()).fields : null;
}
