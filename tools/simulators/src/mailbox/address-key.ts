import { domainToASCII } from 'node:url';

/** The address as on the wire, with its domain in A-labels: the SMTP server decodes it to Unicode. */
export function wireAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  // ASCII domains and address literals need no conversion.
  if (at < 0 || /^[\x20-\x7e]*$/.test(domain)) return address;
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`;
}

/** Equal for addresses that differ only in case or in the notation of the domain. */
export function addressKey(address: string): string {
  return wireAddress(address.trim()).toLowerCase();
}
