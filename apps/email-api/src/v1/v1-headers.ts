import { isJsonObject, isStorableText } from '@heliograph/service-kit';

export const MAX_HEADERS = 50;
const MAX_HEADER_LENGTH = 998;
const HEADER_NAME = /^(?:(?:x|list)-[a-z0-9-]{1,70}|in-reply-to|references|thread-topic|thread-index)$/i;
/** Headers with which mail services take commands, such as other recipients. */
const SERVICE_HEADER = /^x-(?:smtpapi$|msys-api$|(?:ses|mailgun|mc|mj|pm|sib|mailin)-)/i;

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
