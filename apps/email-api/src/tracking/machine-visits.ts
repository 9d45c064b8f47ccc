/** An open or a click. */
export interface Visit {
  userAgent: string | undefined;
  secondsSinceSent: number;
}

/** Earlier visits come from scanners that check the mail before it is delivered. */
const INSTANT_SECONDS = 2;

/** Image proxies that load images when a person opens the mail. */
const PROXIES_OF_PEOPLE = /GoogleImageProxy|YahooMailProxy/i;

/** User agent of Apple Mail Privacy Protection, which loads every image even if the mail is not opened. */
const PREFETCH = /^Mozilla\/5\.0$/;

/** Crawlers, scanners, link previews and programs. `CUBOT` is a phone brand. */
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

/** True if a visit was probably made by a program, based on the user agent and the time since the send. */
export function isMachineVisit({ userAgent = '', secondsSinceSent }: Visit): boolean {
  if (secondsSinceSent < INSTANT_SECONDS) return true;
  const agent = userAgent.trim();
  if (PROXIES_OF_PEOPLE.test(agent)) return false;
  return agent === '' || PREFETCH.test(agent) || PROGRAMS.test(agent);
}
