import { readDeliveryStatus, type DeliveryReport } from './delivery-status';
import { readFeedbackReport, type Complaint } from './feedback-report';
import { readHeaderFields, type HeaderFields } from './header-fields';
import { decodedBody, partsOf, readPart, type MimePart } from './mime-parts';
import { readQmailNotice } from './qmail-notice';
import { readTextNotice } from './text-notice';

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
 * Parses a returned mail: a delivery notification (RFC 3464, or a notice of qmail, Exim or a large provider as text) or an
 * abuse report (RFC 5965). Returns null for other mail, such as an out-of-office reply. Never throws; takes linear time.
 */
export function readNotification(raw: Buffer): Notification | null {
  const mail = readPart(raw.toString('latin1'));
  const report = mail.boundary === null ? readReport([mail]) : findReport(mail, 1);
  if (report) return report;
  const reports = readNotice(mail.fields, textOf(mail, 1) ?? '');
  return reports.length > 0 ? { kind: 'delivery', reports } : null;
}

function readNotice(fields: HeaderFields, text: string): DeliveryReport[] {
  const failed = fields.get('x-failed-recipients');
  const reports = readQmailNotice(text);
  if (reports.length > 0 || failed === undefined) return reports;
  return readTextNotice(failed, fields.get('subject') ?? '', text);
}

/** The first text of a mail; null if it has none. Attached mails are not searched. */
function textOf(part: MimePart, depth: number): string | null {
  if (part.type === 'text/plain') return decodedBody(part);
  if (part.boundary === null || depth >= MAX_DEPTH) return null;
  for (const inner of partsOf(part)) {
    const text = textOf(inner, depth + 1);
    if (text !== null) return text;
  }
  return null;
}

/**
 * Gateways nest reports in multipart mails, and some servers send the parts of a report as multipart/mixed. Attached
 * mails are not searched.
 */
function findReport(part: MimePart, depth: number): Notification | null {
  const parts = [...partsOf(part)];
  const report = readReport(parts);
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
    if (reports.length > 0) return { kind: 'delivery', reports };
  }
  const feedback = parts.find(({ type }) => type === FEEDBACK_REPORT);
  const complaint = feedback ? readFeedbackReport(decodedBody(feedback), quotedFields(parts)) : null;
  return complaint && { kind: 'complaint', ...complaint };
}

function quotedFields(parts: MimePart[]): HeaderFields | null {
  const quoted = parts.find(({ type }) => QUOTED_MAIL.has(type));
  return quoted ? readHeaderFields(decodedBody(quoted).trimStart()).fields : null;
}
