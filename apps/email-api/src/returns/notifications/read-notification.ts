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
 * Parses a returned mail: a delivery notification (RFC 3464 or qmail) or an abuse report (RFC 5965). Returns null for
 * other mail, such as an out-of-office reply. Never throws; takes linear time.
 */
export function readNotification(raw: Buffer): Notification | null {
  const mail = readPart(raw.toString('latin1'));
  if (mail.type.startsWith('multipart/')) return findReport(mail, 1);
  const reports = mail.type === 'text/plain' ? readQmailNotice(mail.body) : [];
  return reports.length > 0 ? { kind: 'delivery', reports } : null;
}

/** Gateways nest reports in multipart mails. Attached mails are not searched. */
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
