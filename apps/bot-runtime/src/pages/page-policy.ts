/** A host, perhaps with a wildcard before or a port behind it. Anything else could end the directive and begin another. */
const HOST_SOURCE = /^(?:https?:\/\/)?(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::(?:\d{1,5}|\*))?$/i;

/**
 * Who may show a page in a frame: the bot's domains and the page's own origin; anybody where the bot names none.
 */
export function frameAncestors(allowedDomains: readonly string[]): string {
  if (allowedDomains.length === 0) return '*';
  const hosts = allowedDomains.filter((domain) => HOST_SOURCE.test(domain));
  return ["'self'", ...new Set(hosts)].join(' ');
}

/**
 * The Content-Security-Policy of a page with the chat: scripts, styles and calls of its own origin alone, pictures from
 * anywhere safe. `inlineStyleHash`: SHA-256 in base64 of the one inline style that the page has.
 */
export function pagePolicy({
  allowedDomains,
  inlineStyleHash,
}: {
  allowedDomains: readonly string[];
  inlineStyleHash?: string;
}): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${inlineStyleHash === undefined ? '' : ` 'sha256-${inlineStyleHash}'`}`,
    "connect-src 'self'",
    "img-src 'self' https: data:",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
    `frame-ancestors ${frameAncestors(allowedDomains)}`,
  ].join('; ');
}
