const PROTOCOLS = new Set(['http:', 'https:', 'mailto:', 'tel:']);

/**
 * The URL for `href`, or null if it is not safe: only absolute `http`, `https`, `mailto` and `tel` URLs, without
 * characters that browsers remove before they interpret a URL.
 */
export function safeLink(address: string): string | null {
  // URL parsers ignore control characters and spaces, which can hide the real scheme.
  if (/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\\<>"`]/.test(address)) return null;
  if (!/^(?:https?:\/\/[^/]|mailto:[^/]|tel:[+\d(])/i.test(address)) return null;
  try {
    const url = new URL(address);
    return PROTOCOLS.has(url.protocol) ? url.href : null;
  } catch {
    return null;
  }
}
