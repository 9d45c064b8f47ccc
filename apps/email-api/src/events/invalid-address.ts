/** RFC 3463: 5.1.x concerns the address. */
const INVALID_ADDRESS = /^5\.1\.\d{1,3}$/;
/** Permanent failure without details (RFC 3463). */
export const UNKNOWN_FAILURE = '5.0.0';
const ADDRESS = /[^\s@]{1,100}@[^\s@]{1,255}/g;
/** RFC 3463: bad domain, unable to route; RFC 7505: null MX. */
const DEAD_DOMAIN = /^[45]\.(?:1\.2|1\.10|4\.4)$/;
/** Codes that concern the address or the route to its server. With these codes, or without a code, the wording is checked. */
const MAY_BE_DEAD_DOMAIN = /^[45]\.[014]\.\d{1,3}$/;
const UNKNOWN_DOMAIN = new RegExp(
  [
    String.raw`\b(?:host|domain)(?: name)?(?: is| was)? (?:not found|unknown|non-?existent)\b`,
    String.raw`\b(?:unknown|no such|non-?existent) (?:mail )?(?:host|domain)\b`,
    String.raw`\bdomain(?: \S{1,255})? (?:does not|doesn't) (?:exist|accept (?:any )?mail)\b`,
    String.raw`\bunrouteable mail domain\b`,
    String.raw`\bnull ?mx\b`,
    String.raw`\bmx records? points? to non-?existent hosts?\b`,
    String.raw`\bcouldn't find any host\b`,
  ].join('|'),
  'i',
);
/** The response concerns the sender or the content, for example `sender address does not exist`. */
const OTHER_CAUSE = /\b(?:sender|from|policy|spam|block(?:ed|list\w*)|blacklist\w*|helo|relay\w*)\b/i;
const MAX_RESPONSE_LENGTH = 2_000;

/**
 * Whether the enhanced status code of a failure shows that the recipient's address is invalid. Further mail would harm the
 * reputation of the sender. The wording of a response decides nothing.
 */
export function isInvalidAddress(status: string | null): boolean {
  return status !== null && INVALID_ADDRESS.test(status);
}

/**
 * Whether a permanent or temporary failure indicates that the recipient's domain has no mail server. A domain can recover
 * from an outage of its DNS servers, so a single such failure does not make the address invalid.
 */
export function isDeadDomain(status: string | null, response: string | null): boolean {
  if (status !== null && DEAD_DOMAIN.test(status)) return true;
  if (status !== null && !MAY_BE_DEAD_DOMAIN.test(status)) return false;
  return containsWording((response ?? '').slice(0, MAX_RESPONSE_LENGTH), UNKNOWN_DOMAIN);
}

function containsWording(response: string, wording: RegExp): boolean {
  // Servers quote the address, which can contain any of the words.
  const words = response.replaceAll(ADDRESS, ' ').replaceAll(/\s+/g, ' ');
  return wording.test(words) && !OTHER_CAUSE.test(words);
}
