import { addressKey, readEmailAddress } from '@heliograph/email-address';

export const MAX_RECIPIENTS = 1_000;
/** Maximum number of addresses in a request, checked before they are parsed and deduplicated. */
const MAX_LISTED = 10_000;
const TOO_MANY = `A send can have at most ${MAX_RECIPIENTS} recipients. Split it into several sends.`;

/** Returns the error message for the recipients of a request; null if they are valid. */
export function recipientsFault(to: unknown): string | null {
  const listed: unknown[] = Array.isArray(to) ? to : [to];
  if (listed.length > MAX_LISTED) return TOO_MANY;
  const keys = new Set<string>();
  for (const [index, written] of listed.entries()) {
    const address = typeof written === 'string' ? readEmailAddress(written) : null;
    if (address === null) {
      const name = Array.isArray(to) ? `to[${index}]` : 'to';
      return `${name} must be a single email address of at most 254 characters, such as ann@example.com.`;
    }
    keys.add(addressKey(address));
  }
  return keys.size > MAX_RECIPIENTS ? TOO_MANY : null;
}

/** The unique addresses of valid recipients, in the spelling of their first occurrence. */
export function uniqueRecipients(to: string | string[]): string[] {
  const addresses = new Map<string, string>();
  for (const written of [to].flat()) {
    const address = readEmailAddress(written) ?? written;
    const key = addressKey(address);
    if (!addresses.has(key)) addresses.set(key, address);
  }
  return [...addresses.values()];
}
