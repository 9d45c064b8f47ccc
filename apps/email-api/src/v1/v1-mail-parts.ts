import { isJsonObject, isStorableText } from '@heliograph/service-kit';
import type { MailAttachment } from '../sending/sent-message';

export const MAX_ATTACHMENTS = 20;
export const MAX_HEADERS = 50;
const MAX_FILENAME_LENGTH = 255;
const MAX_HEADER_LENGTH = 998;
const HEADER_NAME = /^(?:(?:x|list)-[a-z0-9-]{1,70}|in-reply-to|references|thread-topic|thread-index)$/i;
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]{1,127}\/[a-z0-9!#$&^_.+-]{1,127}$/i;
/** Composite media types, which are not allowed because they would break the structure of the mail. */
const COMPOSITE_TYPE = /^(?:multipart|message)\//i;
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
  if (type !== undefined && type !== null && !(typeof type === 'string' && isMediaType(type))) {
    return '.content_type must be a media type such as application/pdf.';
  }
  if (typeof content !== 'string' || content === '' || content.length % 4 !== 0 || !BASE64.test(content)) {
    return '.content must be base64 with padding and without line breaks.';
  }
  return null;
}

function isMediaType(type: string): boolean {
  return MEDIA_TYPE.test(type) && !COMPOSITE_TYPE.test(type);
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
