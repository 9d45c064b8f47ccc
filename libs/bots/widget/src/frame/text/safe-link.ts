const PROTOCOLS = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/**
 * The address to put into `href`, or null when it is none that a visitor may be sent to: absolute `http`, `https`,
 * `mailto` and `tel` alone, nothing that a browser would first clean and then run.
 */
export function safeLink(address: string): string | null {
  // Control characters and blanks are dropped by URL parsers: an address that has them means to hide something.
  if (/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\<>"`]/.test(address)) return null;
  if (!/^(?:https?:\/\/[^/]|mailto:[^/]|tel:[+\d(])/i.test(address)) return null;
  try {
    const url = new URL(address);
    return PROTOCOLS.has(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}
