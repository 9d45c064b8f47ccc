import { readDomainName } from './domain-name';

/** Without the angle brackets, of the 256 octets of a path (RFC 5321, 4.5.3.1.3). */
const MAX_LENGTH = 254;
const MAX_LOCAL_PART_LENGTH = 64;
/** Dot-atom of RFC 5322, 3.2.3. Neither class holds the dot of the other, so the test is linear. */
const LOCAL_PART = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;

/**
 * Reads one bare address that mail can be sent to. Comes out with the local part as it was written, since its owner alone
 * knows what its letters' case means, and the domain as `readDomainName` gives it. Null for anything else: display names,
 * lists, comments, quoted local parts, local parts beyond ASCII (SMTPUTF8), IP literals, and any blank or control
 * character, also around the address.
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

/** What two addresses of one mailbox have in common: the whole address without case. Takes what `readEmailAddress` gave. */
export function addressKey(address: string): string {
  return address.toLowerCase();
}

/** The domain of what `readEmailAddress` gave, in A-labels. */
export function emailDomainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1);
}
