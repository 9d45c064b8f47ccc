import { domainToASCII } from 'node:url';

/** With its domain in A-labels, as it was on the wire: the SMTP server hands it over in Unicode. */
export function wireAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  // Neither what is plain already nor a bracketed literal needs a conversion.
  if (at < 0 || /^[\x20-\x7e]*$/.test(domain)) return address;
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`;
}

/** Equal for addresses that differ in case or in the notation of their domain. */
export function addressKey(address: string): string {
  return wireAddress(address.trim()).toLowerCase();
}
