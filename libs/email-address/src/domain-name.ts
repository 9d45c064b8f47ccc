import { domainToASCII } from 'node:url';

const MAX_LENGTH = 253;
// What a name may be made of before it is mapped: no separator of a URL, nothing invisible, nothing that turns the writing round.
const UNMAPPED_NAME = /^[\p{L}\p{M}\p{N}.-]+$/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const NUMBER = /^[0-9]+$/;

/**
 * The domain in lower case and A-labels (UTS 46, as browsers map it): `exämple.com` is `xn--exmple-cua.com`. Null when it
 * is no host name of at least two labels (RFC 1123): an IP address, a single label, a blank, a dot at the end.
 */
export function readDomainName(text: string): string | null {
  if (text.length > MAX_LENGTH || !UNMAPPED_NAME.test(text)) return null;
  const name = domainToASCII(text);
  if (name.length > MAX_LENGTH) return null;
  const labels = name.split('.');
  const isSound = labels.length > 1 && labels.every((label) => LABEL.test(label));
  return isSound && !NUMBER.test(labels[labels.length - 1] ?? '') ? name : null;
}
