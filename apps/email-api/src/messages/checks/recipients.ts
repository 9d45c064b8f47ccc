import { addressKey, readEmailAddress } from '@heliograph/addresses';

export const MAX_RECIPIENTS = 1_000;
/** Limit of `to`, `cc` and `bcc` in total if there is a `cc` or a `bcc`. */
export const MAX_SHARED_RECIPIENTS = 50;
export const RECIPIENT_KINDS = ['to', 'cc', 'bcc'] as const;
export type RecipientKind = (typeof RECIPIENT_KINDS)[number];
/** Maximum number of addresses in a request, checked before they are parsed and deduplicated. */
const MAX_LISTED = 10_000;
const TOO_MANY = `A send can have at most ${MAX_RECIPIENTS} recipients. Split it into several sends.`;

/** Returns the error message for the recipients in a field of a request; null if they are valid. */
export function recipientsFault(to: unknown, field: RecipientKind = 'to'): string | null {
  const listed: unknown[] = Array.isArray(to) ? to : [to];
  if (listed.length > MAX_LISTED) return TOO_MANY;
  const keys = new Set<string>();
  for (const [index, written] of listed.entries()) {
    const address = typeof written === 'string' ? readEmailAddress(written) : null;
    if (address === null) {
      const name = Array.isArray(to) ? `${field}[${index}]` : field;
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

export interface MailRecipients {
  /** Each address once. */
  addresses: string[];
  /** The kinds of the addresses if they get one mail together; null if each gets a mail of its own. */
  kinds: RecipientKind[] | null;
}

/** The recipients of a request. An address in several fields counts for the first of `to`, `cc` and `bcc`. */
export function mailRecipients(given: {
  to: string | string[];
  cc?: string | string[] | undefined;
  bcc?: string | string[] | undefined;
}): MailRecipients {
  const to = uniqueRecipients(given.to);
  const cc = [given.cc ?? []].flat();
  const bcc = [given.bcc ?? []].flat();
  if (cc.length + bcc.length === 0) return { addresses: to, kinds: null };
  const visible = uniqueRecipients([...to, ...cc]).length;
  const addresses = uniqueRecipients([...to, ...cc, ...bcc]);
  const kindAt = (position: number): RecipientKind => (position < to.length ? 'to' : position < visible ? 'cc' : 'bcc');
  return { addresses, kinds: addresses.map((_address, position) => kindAt(position)) };
}
