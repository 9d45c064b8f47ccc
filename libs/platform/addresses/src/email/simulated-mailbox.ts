/** A reserved top-level domain (RFC 2606), so that no mail server exists for it. */
const SIMULATOR = '@simulator.test';

/**
 * The outcome that an email address chooses in test mode: the local part without a label after a plus. Null for addresses of other
 * domains.
 */
export function simulatedMailboxOf(address: string): string | null {
  const key = address.toLowerCase();
  if (!key.endsWith(SIMULATOR)) return null;
  return key.slice(0, -SIMULATOR.length).split('+', 1)[0] ?? null;
}
