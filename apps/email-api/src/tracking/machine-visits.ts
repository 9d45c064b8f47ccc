/** A mail was opened or one of its links followed. */
export interface Visit {
  userAgent: string | undefined;
  secondsSinceSent: number;
}

/** Nobody reads that fast: a scanner looked at the mail before it was put into the mailbox. */
const INSTANT_SECONDS = 2;

/** They load pictures when a person opens the mail. */
const PROXIES_OF_PEOPLE = /GoogleImageProxy|YahooMailProxy/i;

/** What Apple's mail privacy loads every picture with, whether or not anybody opens the mail. */
const PREFETCH = /^Mozilla\/5\.0$/;

/** Crawlers, scanners, link previews and programs. Some telephones have `CUBOT` in their names. */
const PROGRAMS = new RegExp(
  [
    '(?<!cu)bot\\b|bot/|crawl|spider|slurp|scan|preview|prefetch|fetch|monitor|archiver|validator|headless|phantom',
    'curl|wget|python|perl|ruby|php|java/|okhttp|go-http|libwww|http-?client|axios|undici|node\\b|postman|powershell',
    'facebookexternalhit|whatsapp|telegram|discord|skypeuri|existence discovery|microsoft office protocol',
    'barracuda|proofpoint|mimecast|symantec|messagelabs|ironport|trend ?micro|fireeye|trellix|sophos|bitdefender',
    'virustotal|urlscan|safe-?browsing|google-safety|zscaler|forcepoint|cloudmark|checkpoint|mailmarshal|censys',
  ].join('|'),
  'i',
);

/** Whether no person stands behind a visit: judged by who says to be visiting, and by how soon after the send. */
export function isMachineVisit({ userAgent = '', secondsSinceSent }: Visit): boolean {
  if (secondsSinceSent < INSTANT_SECONDS) return true;
  const agent = userAgent.trim();
  if (PROXIES_OF_PEOPLE.test(agent)) return false;
  return agent === '' || PREFETCH.test(agent) || PROGRAMS.test(agent);
}
