import { domainToASCII } from 'node:url';

const MAX_LENGTH = 253;
// Characters allowed before the mapping: no URL separators, no invisible characters, no bidirectional controls.
const UNMAPPED_NAME = /^[\p{L}\p{M}\p{N}.-]+$/u;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const NUMBER = /^[0-9]+$/;

/**
 * Normalizes a domain to lower case and A-labels (UTS 46, as browsers do): `exämple.com` becomes
 * `xn--exmple-cua.com`. Null unless it is a host name with at least two labels (RFC 1123): IP addresses, single
 * labels, spaces and a trailing dot are rejected.
 */
export function readDomainName(text: string): string | null {
  if (text.length > MAX_LENGTH || !UNMAPPED_NAME.test(text)) return null;
  const name = domainToASCII(text);
  if (name.length > MAX_LENGTH) return null;
  const labels = name.split('.');
  const isValid = labels.length > 1 && labels.every((label) => LABEL.test(label));
  return isValid && !NUMBER.test(labels[labels.length - 1] ?? '') ? name : null;
}
