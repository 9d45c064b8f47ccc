import { isJsonObject, isStorableText } from '@heliograph/service-kit';
import { isMail, MAIL_TYPE } from '../sending/mail-parts';
import type { MailAttachment } from '../sending/sent-message';

export const MAX_ATTACHMENTS = 20;
export const MAX_HEADERS = 50;
const MAX_FILENAME_LENGTH = 255;
const MAX_HEADER_LENGTH = 998;
const HEADER_NAME = /^(?:(?:x|list)-[a-z0-9-]{1,70}|in-reply-to|references|thread-topic|thread-index)$/i;
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/i;
/** Composite media types. Only a complete mail can be attached, because the others have rules of their own (RFC 2046, 5). */
const COMPOSITE_TYPE = /^(?:multipart|message)\//i;
/** Transfer encodings must not be applied to an attached mail (RFC 2046, 5.2.1), and not all servers transport 8 bits. */
const NOT_SEVEN_BIT = /[^\x01-\x7f]|[^\r\n]{999}/;
/** Headers with which mail services take commands, such as other recipients. */
const SERVICE_HEADER = /^x-(?:smtpapi$|msys-api$|(?:ses|mailgun|mc|mj|pm|sib|mailin)-)/i;
const DEFAULT_TYPE = 'application/octet-stream';
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

interface GivenAttachment {
  filename: string;
  content_type?: string | null;
  content: string;
}

/** Returns the error message for the attachments of a request; null if they are valid. */
export function attachmentsFault(value: unknown): string | null {
  if (!Array.isArray(value) || value.length > MAX_ATTACHMENTS) {
    return `attachments must be a list of at most ${MAX_ATTACHMENTS} objects.`;
  }
  for (const [index, attachment] of (value as unknown[]).entries()) {
    const fault = attachmentFault(attachment);
    if (fault !== null) return `attachments[${index}]${fault}`;
  }
  return null;
}

function attachmentFault(value: unknown): string | null {
  if (!isJsonObject(value)) return ' must be an object with filename and content.';
  const { filename, content_type: type, content } = value;
  if (!isStorableText(filename, MAX_FILENAME_LENGTH) || filename.trim() === '' || /[\p{Cc}/\\]/u.test(filename)) {
    return `.filename must be a file name of 1 to ${MAX_FILENAME_LENGTH} characters without a path.`;
  }
  if (type !== undefined && type !== null && !(typeof type === 'string' && MEDIA_TYPE.test(type))) {
    return '.content_type must be a media type such as application/pdf.';
  }
  if (typeof type === 'string' && COMPOSITE_TYPE.test(type) && !isMail(type)) {
    return `.content_type must not be multipart/* or message/*, except ${MAIL_TYPE}. Send the file as ${DEFAULT_TYPE}.`;
  }
  if (typeof content !== 'string' || content === '' || content.length % 4 !== 0 || !BASE64.test(content)) {
    return '.content must be base64 with padding and without line breaks.';
  }
  if (
    typeof type === 'string' &&
    isMail(type) &&
    NOT_SEVEN_BIT.test(Buffer.from(content, 'base64').toString('latin1'))
  ) {
    return (
      `.content of a ${MAIL_TYPE} attachment must be 7-bit ASCII with lines of at most 998 characters: encode the parts of ` +
      `the attached mail with base64 or quoted-printable, or send the file as ${DEFAULT_TYPE}.`
    );
  }
  return null;
}

/** Returns the error message for the headers of a request; null if they are valid. */
export function headersFault(value: unknown): string | null {
  if (!isJsonObject(value)) return 'headers must be an object that maps header names to text.';
  const headers = Object.entries(value);
  if (headers.length > MAX_HEADERS) return `headers must have at most ${MAX_HEADERS} entries.`;
  const names = new Set<string>();
  for (const [name, text] of headers) {
    if (!HEADER_NAME.test(name)) {
      return `headers may contain X-*, List-*, In-Reply-To and References only, not ${JSON.stringify(name.slice(0, 50))}.`;
    }
    if (SERVICE_HEADER.test(name)) {
      return `headers must not contain ${name}, because mail services interpret it as a command.`;
    }
    if (names.has(name.toLowerCase())) return `headers contains ${name} more than once.`;
    names.add(name.toLowerCase());
    if (!isStorableText(text, MAX_HEADER_LENGTH) || text === '' || /\p{Cc}/u.test(text)) {
      return `headers.${name} must be a single line of 1 to ${MAX_HEADER_LENGTH} characters.`;
    }
  }
  return null;
}

/** Converts valid attachments to their stored form. */
export function storedAttachments(given: readonly GivenAttachment[] | null | undefined): MailAttachment[] | null {
  if (!given || given.length === 0) return null;
  return given.map(({ filename, content_type: type, content }) => ({
    filename,
    contentType: type ?? DEFAULT_TYPE,
    contentBase64: content,
  }));
}
