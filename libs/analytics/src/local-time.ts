const DAY_MS = 24 * 60 * 60_000;
const HOUR_MS = 60 * 60_000;
const formats = new Map<string, Intl.DateTimeFormat>();

export const INTERVALS = ['hour', 'day', 'month'] as const;
export type Interval = (typeof INTERVALS)[number];

/** Whether this is the name of an IANA time zone, such as Asia/Kolkata or UTC. Offsets are not names. */
export function isTimeZone(value: unknown): value is string {
  if (typeof value !== 'string' || !/^[A-Za-z][\w+-]*(?:\/[\w+-]+){0,2}$/.test(value)) return false;
  try {
    formatOf(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * The start of the interval that contains a time, in the time zone. Days and months start with the first moment of
 * their date.
 */
export function startOf(interval: Interval, zone: string, at: Date): Date {
  const local = localOf(zone, at.getTime());
  if (interval === 'hour') return new Date(at.getTime() - (local % HOUR_MS));
  const date = new Date(local);
  return firstMomentOf(zone, date.getUTCFullYear(), date.getUTCMonth(), interval === 'day' ? date.getUTCDate() : 1);
}

/** The start of the interval after the one that starts at `start`. */
export function startOfNext(interval: Interval, zone: string, start: Date): Date {
  const local = localOf(zone, start.getTime());
  if (interval === 'hour') return new Date(start.getTime() + HOUR_MS - (local % HOUR_MS));
  const date = new Date(local);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth();
  const day = date.getUTCDate();
  return interval === 'day' ? firstMomentOf(zone, year, month, day + 1) : firstMomentOf(zone, year, month + 1, 1);
}

/**
 * A change to daylight saving time can skip midnight or repeat it. The date starts at the earliest time with this date,
 * at the offset of the day before or of the day after. A zone that moves to the other side of the date line skips a date, which starts with
 * the date after it.
 */
function firstMomentOf(zone: string, year: number, month: number, day: number): Date {
  const midnight = Date.UTC(year, month, day);
  const candidates = [midnight - DAY_MS, midnight + DAY_MS].map((near) => midnight - (localOf(zone, near) - near));
  const [first, second] = candidates;
  if (first !== undefined && first === second) return new Date(first);
  const valid = candidates.filter((at) => {
    const local = localOf(zone, at);
    return local >= midnight && local < midnight + DAY_MS;
  });
  return valid.length > 0 ? new Date(Math.min(...valid)) : firstMomentOf(zone, year, month, day + 1);
}

/** The local time as if it were UTC, in ms. */
function localOf(zone: string, at: number): number {
  if (zone === 'UTC') return at;
  const parts = Object.fromEntries(
    formatOf(zone)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  );
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = parts;
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1000) + 1000) % 1000);
}

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    formats.set(zone, format);
  }
  return format;
}
