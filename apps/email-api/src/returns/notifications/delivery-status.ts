import { readHeaderFields, withoutComments, type HeaderFields } from './header-fields';

/** The delivery status of a mail for one address (RFC 3464, 2.3). */
export interface DeliveryReport {
  action: DeliveryAction;
  /** Enhanced status code (RFC 3463), such as `5.1.1`. */
  status: string | null;
  /** Response text of the remote server, on one line. */
  diagnostic: string | null;
}

const ACTIONS = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'] as const;
export type DeliveryAction = (typeof ACTIONS)[number];

/** Words of servers that do not follow RFC 3464, 2.3.3. */
const FAILURES: ReadonlySet<string> = new Set([
  'fail',
  'failure',
  'expired',
  'undeliverable',
  'undelivered',
  'bounced',
  'rejected',
  'error',
]);
/** RFC 3463 */
const DELIVERY_TIME_EXPIRED = '4.4.7';
const PERMANENT_REPLY = /^5\d\d[ -]/;

const MAX_REPORTS = 50;
const STATUS = /^([245]\.\d{1,3}\.\d{1,3})(?!\S)/;
const STATUS_IN_TEXT = /(?:^|[\s#(-])([245]\.\d{1,3}\.\d{1,3})(?=[\s):;,]|$)/;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Parses the body of `message/delivery-status`: per-message fields, then one group of fields per recipient. */
export function readDeliveryStatus(body: string): DeliveryReport[] {
  const reports: DeliveryReport[] = [];
  // Groups are separated by one or more empty lines, and some servers start with an empty line.
  for (let at = 0, groups = 0; at < body.length && groups < MAX_REPORTS; groups++) {
    at += leadingBreaks(body, at);
    const { fields, end } = readHeaderFields(body, at);
    at = end;
    const report = reportOf(fields);
    if (report) reports.push(report);
  }
  return reports;
}

function leadingBreaks(body: string, start: number): number {
  const breaks = /[ \t\r\n]*\n/y;
  breaks.lastIndex = start;
  return breaks.exec(body)?.[0].length ?? 0;
}

/** Returns null for the per-message fields and for actions that are unknown and no failures. */
function reportOf(fields: HeaderFields): DeliveryReport | null {
  const diagnostic = diagnosticOf(fields.get('diagnostic-code'));
  const status = mostPrecise(statusOf(fields.get('status')), diagnostic);
  const word = /^[a-z]+/.exec(withoutComments(fields.get('action') ?? '').toLowerCase())?.[0] ?? '';
  const action = ACTIONS.find((known) => known === word) ?? (FAILURES.has(word) ? 'failed' : null);
  if (action) return { action, status, diagnostic };
  return isFailure(status, diagnostic) ? { action: 'failed', status, diagnostic } : null;
}

/** Whether a group without a known action reports a failure: the status is permanent, or the delivery time expired. */
function isFailure(status: string | null, diagnostic: string | null): boolean {
  if (status !== null) return status.startsWith('5') || status === DELIVERY_TIME_EXPIRED;
  return diagnostic !== null && PERMANENT_REPLY.test(diagnostic);
}

function statusOf(value = ''): string | null {
  return STATUS.exec(withoutComments(value))?.[1] ?? null;
}

/** Some servers report only `5.0.0`; the precise code is then in the quoted response. */
function mostPrecise(status: string | null, diagnostic: string | null): string | null {
  if (status !== null && !status.endsWith('.0.0')) return status;
  const quoted = statusInText(diagnostic ?? '');
  return quoted !== null && (status === null || quoted[0] === status[0]) ? quoted : status;
}

/** Returns the first enhanced status code in a server response. */
export function statusInText(text: string): string | null {
  return STATUS_IN_TEXT.exec(text)?.[1] ?? null;
}

/** Returns `smtp; 550 5.1.1 …` without the protocol name. */
function diagnosticOf(value = ''): string | null {
  const text = readableText(value.replace(/^\s*[\w.-]{1,40}\s*;/, '')).trim();
  return text === '' ? null : text;
}

/** Decodes UTF-8 (RFC 6533) if valid, otherwise Latin-1. */
export function readableText(octets: string): string {
  try {
    return UTF8.decode(Buffer.from(octets, 'latin1'));
  } catch {
    return octets;
  }
}
