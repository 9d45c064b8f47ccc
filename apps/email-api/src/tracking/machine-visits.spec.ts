import { isMachineVisit } from './machine-visits';

const LATER = 60;
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';

describe('a visit', () => {
  it.each([
    CHROME,
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko)',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)',
    'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html',
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Thunderbird/140.0',
    'Microsoft Office/16.0 (Windows NT 10.0; Microsoft Outlook 16.0.17928; Pro)',
    'Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0 Mobile Safari/537.36',
  ])('with the user agent %s is classified as a person', (userAgent) => {
    expect(isMachineVisit({ userAgent, secondsSinceSent: LATER })).toBe(false);
  });

  it.each([
    undefined,
    '',
    ' ',
    'Mozilla/5.0',
    'curl/8.5.0',
    'python-requests/2.32',
    'Go-http-client/1.1',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 (compatible; bingbot/2.0)',
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/142.0 Safari/537.36',
    'Mozilla/5.0 (compatible; Barracuda Sentinel (EE))',
    'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)',
    'Microsoft Office Existence Discovery',
    'facebookexternalhit/1.1',
  ])('with the user agent %j is classified as a machine', (userAgent) => {
    expect(isMachineVisit({ userAgent, secondsSinceSent: LATER })).toBe(true);
  });

  it('within two seconds of the send is classified as a machine for any user agent', () => {
    expect(isMachineVisit({ userAgent: CHROME, secondsSinceSent: 1.9 })).toBe(true);
    expect(isMachineVisit({ userAgent: CHROME, secondsSinceSent: -1 })).toBe(true);
    expect(isMachineVisit({ userAgent: CHROME, secondsSinceSent: 2 })).toBe(false);
  });
});
