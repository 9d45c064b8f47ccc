import { readableText, statusInText, type DeliveryReport } from './delivery-status';

/** qmail; Yahoo, whose notices have the same form. */
const GREETING = /^(?:Hi\. This is the |Sorry, we were unable to deliver your message to the following address)/;
/** The notice comes first, followed by the returned mail. */
const MAX_NOTICE_LENGTH = 20_000;
const MAX_REPORTS = 50;

/** Parses a plain text bounce of qmail (QSBMF) or Yahoo: one paragraph per address. */
export function readQmailNotice(body: string): DeliveryReport[] {
  const text = body.slice(0, MAX_NOTICE_LENGTH).trimStart();
  if (!GREETING.test(text)) return [];
  const [, ...paragraphs] = text.split(/\r?\n(?:[ \t]*\r?\n)+/);
  const reports: DeliveryReport[] = [];
  for (const paragraph of paragraphs) {
    // The copy of the mail starts here.
    if (paragraph.startsWith('-') || reports.length >= MAX_REPORTS) break;
    const [, reason] = /^<[^<>\r\n]{1,320}>:[ \t]*\r?\n([^]+)$/.exec(paragraph) ?? [];
    if (reason === undefined) continue;
    const diagnostic = readableText(reason).trim();
    reports.push({
      action: 'failed',
      status: statusInText(diagnostic),
      diagnostic: diagnostic === '' ? null : diagnostic,
    });
  }
  return reports;
}
