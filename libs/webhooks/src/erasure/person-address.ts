import { readPersonAddress, type PersonAddress } from '@heliograph/tenancy';

/** An address in any notation, such as `+91 98111 11111` in an answer to a form. Null for other text. */
export function personAddressOf(text: string): PersonAddress | null {
  const trimmed = text.trim();
  return readPersonAddress(trimmed) ?? readPersonAddress(trimmed.replace(/[\s().-]/g, ''));
}
