/** A host with an optional wildcard prefix or port. Other texts are excluded, because they could add directives to the policy. */
const HOST_SOURCE = /^(?:https?:\/\/)?(?:\*\.)?[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::(?:\d{1,5}|\*))?$/i;

/** The frame-ancestors of a page: the bot's allowed domains and the page's own origin. */
export function frameAncestors(allowedDomains: readonly string[]): string {
  const hosts = allowedDomains.filter((domain) => HOST_SOURCE.test(domain));
  return ["'self'", ...new Set(hosts)].join(' ');
}

/**
 * The Content-Security-Policy of a chat page: scripts, styles and connections of its own origin only, images from any
 * secure origin. `inlineStyleHash` is the base64 SHA-256 of the only inline style. `allowedDomains`: null allows every site.
 */
export function pagePolicy({
  allowedDomains,
  inlineStyleHash,
}: {
  allowedDomains: readonly string[] | null;
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
    // `frame-ancestors *` would exclude sandboxed pages and pages with the schemes file: and data:.
    ...(allowedDomains === null ? [] : [`frame-ancestors ${frameAncestors(allowedDomains)}`]),
  ].join('; ');
}
