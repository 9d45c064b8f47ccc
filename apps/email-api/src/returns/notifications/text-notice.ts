import { readableText, statusInText, type DeliveryReport } from './delivery-status';

/** The notice comes first, followed by the returned mail. */
const MAX_NOTICE_LENGTH = 20_000;
const MAX_REASON_LINES = 12;
/** Such a notice announces further attempts. */
const DELAY =
  /\b(?:delay(?:ed)?|warning message only|do not need to resend|will be retried|delivery attempts will continue)\b/i;
const REPLY = /(?:^|[\s:(])(5\d\d[ -][^\r\n]*)/;
const COPY = /^-+ ?(?:this is a copy|original message|forwarded message|below this line|the (?:header|body) )|^-{3,}/i;

/**
 * Parses a notice without a machine-readable part whose header `X-Failed-Recipients` (Exim, Gmail) names the recipients.
 * A return path belongs to one recipient, so the notice is one report.
 */
export function readTextNotice(failedRecipients: string, subject: string, body: string): DeliveryReport[] {
  if (!failedRecipients.includes('@')) return [];
  const lines = noticeOf(body);
  const isDelay = DELAY.test(subject) || DELAY.test(lines.join(' '));
  const diagnostic = reasonIn(lines, failedRecipients.split(',')[0]?.trim().toLowerCase() ?? '');
  return [{ action: isDelay ? 'delayed' : 'failed', status: statusInText(diagnostic ?? ''), diagnostic }];
}

/** The lines before the copy of the mail. */
function noticeOf(body: string): string[] {
  const lines = body.slice(0, MAX_NOTICE_LENGTH).split(/\r?\n/);
  const end = lines.findIndex((line) => COPY.test(line));
  return end < 0 ? lines : lines.slice(0, end);
}

/** The text below the address, else the first permanent SMTP response. */
function reasonIn(lines: readonly string[], address: string): string | null {
  const at = lines.findIndex((line) => line.toLowerCase().includes(address));
  const rest = at < 0 ? [] : lines.slice(at + 1, at + 1 + MAX_REASON_LINES);
  // The lines below the address are indented, or follow it after an empty line in the notices of Gmail.
  const start = rest.findIndex((line) => line.trim() !== '');
  const end = rest.findIndex((line, index) => index > start && line.trim() === '');
  const below = start < 0 ? '' : rest.slice(start, end < 0 ? undefined : end).join(' ');
  const beside =
    at < 0 ? '' : (lines[at] ?? '').slice((lines[at] ?? '').toLowerCase().indexOf(address) + address.length);
  const text = [beside.replace(/^[>\s:]+/, ''), below].join(' ').replaceAll(/\s+/g, ' ').trim();
  const reason = text === '' ? (REPLY.exec(lines.join('\n'))?.[1] ?? '') : text;
  return reason.trim() === '' ? null : readableText(reason.trim());
}
