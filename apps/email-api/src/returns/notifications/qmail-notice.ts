import { readableText, statusInText, type DeliveryReport } from './delivery-status';

const GREETING = /^Hi\. This is the /;
/** The notice comes first; what follows is the mail that came back. */
const MAX_NOTICE_LENGTH = 20_000;
const MAX_REPORTS = 50;

/** Reads a bounce as qmail and its kin write it, in words alone (QSBMF): a paragraph for each address. */
export function readQmailNotice(body: string): DeliveryReport[] {
  const text = body.slice(0, MAX_NOTICE_LENGTH).trimStart();
  if (!GREETING.test(text)) return [];
  const [, ...paragraphs] = text.split(/\r?\n(?:[ \t]*\r?\n)+/);
  const reports: DeliveryReport[] = [];
  for (const paragraph of paragraphs) {
    // Here the copy of the mail begins.
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
