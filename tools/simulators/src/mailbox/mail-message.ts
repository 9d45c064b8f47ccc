import { simpleParser, type Attachment, type ParsedMail } from 'mailparser';
import { readHeaders, type MailHeaders } from './mail-headers';
import type { MailEnvelope, StoredMail } from './inbox';

export interface MailAttachment {
  /** Null where the part has no name. */
  filename: string | null;
  contentType: string;
  /** Octets, decoded. */
  size: number;
}

/** A mail as the control API shows it. */
export interface MailboxMessage {
  envelope: MailEnvelope;
  headers: MailHeaders;
  /** These three are null where the mail has none. */
  subject: string | null;
  text: string | null;
  html: string | null;
  attachments: MailAttachment[];
  /** Octets above 127 are read as UTF-8. */
  raw: string;
  /** RFC 3339. */
  at: string;
}

/** Reads a mail for the control API. One that cannot be parsed has headers and raw alone. */
export async function readMail({ envelope, raw, at }: StoredMail): Promise<MailboxMessage> {
  const headers = readHeaders(raw);
  const { subject = null } = headers;
  const parsed = await parse(raw);
  return {
    envelope,
    headers,
    subject: Array.isArray(subject) ? (subject[0] ?? null) : subject,
    text: parsed?.text ? withoutFinalBreak(parsed.text) : null,
    html: parsed?.html ? withoutFinalBreak(parsed.html) : null,
    attachments: parsed?.attachments.map(describe) ?? [],
    raw: raw.toString('utf8'),
    at: at.toISOString(),
  };
}

/** The attachments with what is in them, in the order of `readMail`. */
export async function readAttachments({ raw }: StoredMail): Promise<(MailAttachment & { content: Buffer })[]> {
  const parsed = await parse(raw);
  return parsed?.attachments.map((part) => ({ ...describe(part), content: part.content })) ?? [];
}

/** The html to look at, pictures of the mail itself put in their places; empty where there is none. */
export async function readPage({ raw }: StoredMail): Promise<string> {
  const parsed = await parse(raw, { keepCidLinks: false });
  return parsed?.html || '';
}

/** Nothing that the mail did not hold: no text made from html, no links added, no pictures put in place. */
async function parse(raw: Buffer, { keepCidLinks } = { keepCidLinks: true }): Promise<ParsedMail | null> {
  try {
    return await simpleParser(raw, {
      skipHtmlToText: true,
      skipTextToHtml: true,
      skipTextLinks: true,
      keepCidLinks,
      keepDeliveryStatus: true,
    });
  } catch {
    return null;
  }
}

function describe({ filename, contentType, size }: Attachment): MailAttachment {
  return { filename: filename ?? null, contentType, size };
}

/** DATA ends with a line break, whether the text had one or not. */
function withoutFinalBreak(text: string): string {
  return text.replace(/\r?\n$/, '');
}
