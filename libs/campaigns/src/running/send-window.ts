import type { SendWindow } from '../campaign';

const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
/** Longer than any shift by daylight saving time, so that the search finds the next opening. */
const SEARCH_MINUTES = 2 * DAY_MINUTES;
const formats = new Map<string, Intl.DateTimeFormat>();

export type Hours = Pick<SendWindow, 'from' | 'until'>;

export function isOpen({ from, until }: Hours, zone: string, at: Date): boolean {
  const start = minutesOf(from);
  const end = minutesOf(until);
  const now = localMinutes(zone, at);
  if (start === end) return true;
  return start < end ? now >= start && now < end : now >= start || now < end;
}

/** The next time at which the window is open: `at` itself, or the first full minute after it. */
export function nextOpening(hours: Hours, zone: string, at: Date): Date {
  if (isOpen(hours, zone, at)) return at;
  const start = minutesOf(hours.from);
  let time = new Date(Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS);
  // Estimates the opening from the local time. A change of daylight saving time can shift it, so the estimate is
  // repeated.
  for (let passed = 0; passed < SEARCH_MINUTES;) {
    const wait = Math.max(1, (start - localMinutes(zone, time) + DAY_MINUTES) % DAY_MINUTES);
    const step = wait > 180 ? wait - 120 : 1;
    time = new Date(time.getTime() + step * MINUTE_MS);
    passed += step;
    if (isOpen(hours, zone, time)) return time;
  }
  return time;
}

function minutesOf(text: string): number {
  const [hours = 0, minutes = 0] = text.split(':').map(Number);
  return (hours * 60 + minutes) % DAY_MINUTES;
}

function localMinutes(zone: string, at: Date): number {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
    formats.set(zone, format);
  }
  return minutesOf(format.format(at));
}
