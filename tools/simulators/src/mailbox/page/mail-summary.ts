import { convert } from 'html-to-text';
import type { StoredMail } from '../inbox';
import { readHeaders } from '../mail-headers';
import { readMail } from '../mail-message';

const PREVIEW_LENGTH = 120;
/** Larger emails are listed without a preview: parsing them would take seconds. */
const MAX_PREVIEW_BYTES = 1_000_000;
const MAX_PREVIEW_HTML = 20_000;

/** An email in the list. */
export interface MailSummary {
  id: number;
  from: string;
  to: string[];
  subject: string;
  preview: string;
  /** The number of attachments. */
  attachments: number;
  at: string;
}

const summaries = new WeakMap<StoredMail, Promise<MailSummary>>();
const searchTexts = new WeakMap<StoredMail, string>();

/** Parses each email only once. */
export function summaryOf(mail: StoredMail): Promise<MailSummary> {
  const known = summaries.get(mail) ?? summarize(mail);
  summaries.set(mail, known);
  return known;
}

/** Whether the sender, a recipient or the subject contains the search text, ignoring case. */
export function isLike(mail: StoredMail, search: string): boolean {
  let text = searchTexts.get(mail);
  if (text === undefined) {
    const { from = '', subject = '' } = readHeaders(mail.raw);
    text = [from, subject, mail.envelope.from, mail.envelope.to].flat().join('\n').toLowerCase();
    searchTexts.set(mail, text);
  }
  return text.includes(search.toLowerCase());
}

async function summarize(mail: StoredMail): Promise<MailSummary> {
  const { id, envelope, raw, at } = mail;
  const headers = readHeaders(raw);
  const short = raw.length <= MAX_PREVIEW_BYTES ? await readMail(mail) : null;
  const text = short?.text ?? wordsOf(short?.html ?? '');
  return {
    id,
    from: first(headers['from']) ?? envelope.from,
    to: envelope.to.slice(0, 3),
    subject: first(headers['subject']) ?? '',
    preview: text
      .slice(0, 10 * PREVIEW_LENGTH)
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, PREVIEW_LENGTH),
    attachments: short?.attachments.length ?? 0,
    at: at.toISOString(),
  };
}

function first(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

/** The text without link targets and images. */
function wordsOf(html: string): string {
  return convert(html.slice(0, MAX_PREVIEW_HTML), {
    wordwrap: false,
    selectors: [
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'img', format: 'skip' },
    ],
  });
}
