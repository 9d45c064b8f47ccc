import type { ClientContext } from '@heliograph/bot-conversations';

type Guess = Pick<ClientContext, 'browser' | 'os' | 'device'>;

// A browser whose User-Agent also contains the name of another browser precedes that browser.
const BROWSERS: readonly [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bYaBrowser\//, 'Yandex'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bUCBrowser\//, 'UC Browser'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|Chromium|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
  [/\bTrident\/|\bMSIE /, 'Internet Explorer'],
];
const SYSTEMS: readonly [RegExp, string][] = [
  [/\b(?:iPhone|iPad|iPod)\b/, 'iOS'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\b(?:Macintosh|Mac OS X)\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];
const BOT = /bot\b|crawl|spider|slurp|\bcurl\/|\bwget\/|python-requests|headless/i;
const TABLET = /\biPad\b|\bTablet\b|\bAndroid\b(?!.*\bMobile\b)/;
const MOBILE = /\bMobi|\biPhone\b|\biPod\b/;
const MAX_LENGTH = 1_000;

/** Guesses browser, operating system and device type from a User-Agent; unknown values are omitted. */
export function guessBrowser(userAgent: string | undefined): Guess {
  const text = (userAgent ?? '').slice(0, MAX_LENGTH);
  if (text === '') return {};
  const browser = BROWSERS.find(([pattern]) => pattern.test(text))?.[1];
  const os = SYSTEMS.find(([pattern]) => pattern.test(text))?.[1];
  const device = deviceOf(text, os !== undefined);
  return { ...(browser ? { browser } : {}), ...(os ? { os } : {}), ...(device ? { device } : {}) };
}

function deviceOf(text: string, hasSystem: boolean): Guess['device'] {
  if (BOT.test(text)) return 'bot';
  if (TABLET.test(text)) return 'tablet';
  if (MOBILE.test(text)) return 'mobile';
  return hasSystem ? 'desktop' : undefined;
}
