import { simpleParser, type Attachment, type ParsedMail } from 'mailparser';
import { readHeaders, type MailHeaders } from './mail-headers';
import type { MailEnvelope, StoredMail } from './inbox';

export interface MailAttachment {
  /** Null if the part has no name. */
  filename: string | null;
  contentType: string;
  /** The size in octets after decoding. */
  size: number;
}

/** An email as the control API returns it. */
export interface MailboxMessage {
  envelope: MailEnvelope;
  headers: MailHeaders;
  /** The next three are null if the email has no such part. */
  subject: string | null;
  text: string | null;
  html: string | null;
  attachments: MailAttachment[];
  /** Octets above 127 are decoded as UTF-8. */
  raw: string;
  /** RFC 3339. */
  at: string;
}

/** Parses an email for the control API. If it cannot be parsed, only the headers and the raw text are set. */
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

/** The attachments with their content, in the order of `readMail`. */
export async function readAttachments({ raw }: StoredMail): Promise<(MailAttachment & { content: Buffer })[]> {
  const parsed = await parse(raw);
  return parsed?.attachments.map((part) => ({ ...describe(part), content: part.content })) ?? [];
}

/** The HTML with inline images embedded; empty if the email has no HTML. */
export async function readPage({ raw }: StoredMail): Promise<string> {
  const parsed = await parse(raw, { keepCidLinks: false });
  return parsed?.html || '';
}

/** Parses only what the email contains: no generated text or links; inline images on request. */
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

/** DATA always ends with a line break. */
function withoutFinalBreak(text: string): string {
  return text.replace(/\r?\n$/, '');
}
