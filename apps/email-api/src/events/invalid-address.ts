/** RFC 3463: 5.1.x concerns the address of the recipient, apart from the codes of the sender. */
const INVALID_ADDRESS = /^5\.1\.\d{1,3}$/;
/** Bad address of the sender: syntax (5.1.7), system (5.1.8), codes of vendors (5.1.90 to 5.1.99). 5.1.9: relayed further. */
const ABOUT_THE_SENDER = /^5\.1\.(?:7|8|9\d?)$/;
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
/** A full or disabled mailbox exists. */
const MAILBOX_EXISTS = /^5\.2\.[1-4]$/;
const MAILBOX = String.raw`(?:user|users|mailbox|account|recipient|addressee|e-?mail address|address|local[- ]part)`;
const UNKNOWN_MAILBOX = new RegExp(
  [
    String.raw`\b(?:no such|unknown|non-?existent|invalid) (?:local |virtual |e-?mail )?(?:user|mailbox|account|local[- ]part)\b`,
    String.raw`\b(?:no such|unknown|non-?existent) (?:recipient|addressee|person|address|e-?mail address)\b`,
    // At most a few words stand between, for example `account that you tried to reach does not exist`.
    String.raw`\b${MAILBOX}(?: [\w<>()."'-]{1,60}){0,7} (?:does not|doesn't|doesnt|did not) exist\b`,
    String.raw`\b${MAILBOX}(?: name)?(?: (?:is|was|are))?(?: [<>()."'-]{1,4})? (?:unknown|not found|not known|non-?existent|no longer (?:exists|valid))\b`,
    String.raw`\b(?:doesn't|doesnt|does not) have an? (?:\S{1,100} )?(?:account|mailbox)\b`,
    String.raw`\bno (?:mailbox|account|user)(?: here)? by that name\b`,
    String.raw`\bno (?:one|user|person) (?:with that (?:e-?mail )?address|at this address)\b`,
    String.raw`\bnot an? (?:known|valid) (?:user|mailbox|recipient)\b`,
    String.raw`\bresolver\.adr\.(?:ex)?recip(?:ient)?notfound\b`,
  ].join('|'),
  'i',
);
/** Exchange Online responds with this text and 5.4.1 if no such recipient exists. With other codes, it is a policy. */
const ACCESS_DENIED = /\brecipient address rejected: access denied\b/i;
/** The response concerns the sender, the content or the domain. */
const NOT_THE_MAILBOX =
  /\b(?:senders?|mail from|envelope from|return[- ]path|reverse[- ]path|spam|block(?:ed|list\w*)|blacklist\w*|reputation|dmarc|spf|dkim|helo|quota|full|domain (?:\S{1,100} ){0,6}(?:does not|doesn't) exist)\b/i;

/**
 * Whether the enhanced status code of a failure shows that the recipient's address is invalid. Further mail would harm the
 * reputation of the sender.
 */
export function isInvalidAddress(status: string | null): boolean {
  return status !== null && INVALID_ADDRESS.test(status) && !ABOUT_THE_SENDER.test(status);
}

/**
 * Whether the text of a permanent failure says unmistakably that the mailbox does not exist, although the code does not:
 * large providers respond with 5.0.0, 5.4.1, 5.7.1 or without a code.
 */
export function isUnknownMailbox(status: string | null, response: string | null): boolean {
  const text = (response ?? '').slice(0, MAX_RESPONSE_LENGTH);
  if (status !== null && (!status.startsWith('5') || ABOUT_THE_SENDER.test(status) || MAILBOX_EXISTS.test(status))) {
    return false;
  }
  const words = withoutAddresses(text);
  if (NOT_THE_MAILBOX.test(words)) return false;
  if (status === '5.4.1' && ACCESS_DENIED.test(words)) return true;
  return UNKNOWN_MAILBOX.test(words) && !UNKNOWN_DOMAIN.test(words);
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
  const words = withoutAddresses(response);
  return wording.test(words) && !OTHER_CAUSE.test(words);
}

/** Servers quote the address, which can contain any of the words. */
function withoutAddresses(response: string): string {
  return response.replaceAll(ADDRESS, ' ').replaceAll('’', "'").replaceAll(/\s+/g, ' ');
}
