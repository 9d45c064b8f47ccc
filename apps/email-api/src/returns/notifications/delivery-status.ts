import { readHeaderFields, withoutComments, type HeaderFields } from './header-fields';

/** What became of a mail for one address, as a mail server tells it (RFC 3464, 2.3). */
export interface DeliveryReport {
  action: DeliveryAction;
  /** Enhanced status code (RFC 3463), such as `5.1.1`. */
  status: string | null;
  /** In the words of the server that said so, on one line. */
  diagnostic: string | null;
}

const ACTIONS = ['failed', 'delayed', 'delivered', 'relayed', 'expanded'] as const;
export type DeliveryAction = (typeof ACTIONS)[number];

const MAX_REPORTS = 50;
const STATUS = /^([245]\.\d{1,3}\.\d{1,3})(?!\S)/;
const STATUS_IN_TEXT = /(?:^|[\s#(-])([245]\.\d{1,3}\.\d{1,3})(?=[\s):;,]|$)/;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the body of `message/delivery-status`: fields of the mail, then a group of fields for each address. */
export function readDeliveryStatus(body: string): DeliveryReport[] {
  const reports: DeliveryReport[] = [];
  // Servers put the groups apart by one empty line or by several, and some begin with one.
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

/** Null for the fields of the mail itself, and for an action that nobody knows. */
function reportOf(fields: HeaderFields): DeliveryReport | null {
  const word = /^[a-z]+/.exec(withoutComments(fields.get('action') ?? '').toLowerCase())?.[0];
  const action = ACTIONS.find((known) => known === word);
  if (!action) return null;
  const diagnostic = diagnosticOf(fields.get('diagnostic-code'));
  return { action, status: mostPrecise(statusOf(fields.get('status')), diagnostic), diagnostic };
}

function statusOf(value = ''): string | null {
  return STATUS.exec(withoutComments(value))?.[1] ?? null;
}

/** Some servers write no more than `5.0.0`, and leave what it was to the answer that they quote. */
function mostPrecise(status: string | null, diagnostic: string | null): string | null {
  if (status !== null && !status.endsWith('.0.0')) return status;
  const quoted = statusInText(diagnostic ?? '');
  return quoted !== null && (status === null || quoted[0] === status[0]) ? quoted : status;
}

/** The first enhanced status code in a server's answer. */
export function statusInText(text: string): string | null {
  return STATUS_IN_TEXT.exec(text)?.[1] ?? null;
}

/** `smtp; 550 5.1.1 …` without the name of the protocol. */
function diagnosticOf(value = ''): string | null {
  const text = readableText(value.replace(/^\s*[\w.-]{1,40}\s*;/, '')).trim();
  return text === '' ? null : text;
}

/** UTF-8 where it is (RFC 6533), else Latin-1. */
export function readableText(octets: string): string {
  try {
    return UTF8.decode(Buffer.from(octets, 'latin1'));
  } catch {
    return octets;
  }
}
