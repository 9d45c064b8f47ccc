import { readDomainName } from './domain-name';

/** Limit without the angle brackets, of the 256 octets of a path (RFC 5321, 4.5.3.1.3). */
const MAX_LENGTH = 254;
const MAX_LOCAL_PART_LENGTH = 64;
/** Dot-atom of RFC 5322, 3.2.3. The alternatives are disjoint, so matching takes linear time. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

/**
 * Parses a single deliverable address. The local part is returned unchanged, because it may be case-sensitive; the
 * domain is normalized by `readDomainName`. Null for anything else: display names, lists, comments, quoted local
 * parts, non-ASCII local parts (SMTPUTF8), IP literals, spaces and control characters, including surrounding ones.
 */
export function readEmailAddress(text: string): string | null {
  if (text.length > MAX_LENGTH) return null;
  const at = text.lastIndexOf('@');
  if (at < 1 || at > MAX_LOCAL_PART_LENGTH) return null;
  const localPart = text.slice(0, at);
  if (!LOCAL_PART.test(localPart)) return null;
  const domain = readDomainName(text.slice(at + 1));
  if (domain === null) return null;
  const address = `${localPart}@${domain}`;
  return address.length > MAX_LENGTH ? null : address;
}

/** Comparison key of a mailbox: the whole address in lower case. Takes the result of `readEmailAddress`. */
export function addressKey(address: string): string {
  return address.toLowerCase();
}

/** The domain of a result of `readEmailAddress`, in A-labels. */
export function emailDomainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
