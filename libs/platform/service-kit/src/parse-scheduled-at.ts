/** A point in time, in UTC. */
export interface ScheduledAt {
  /** In milliseconds (truncated), for comparison with the clock. */
  date: Date;
  /** `YYYY-MM-DDTHH:MM:SS.ffffffZ`, in microseconds, for PostgreSQL timestamptz columns. */
  timestamp: string;
}

/** Date, time, nine fractional digits and a numeric offset: the longest valid text. */
const MAX_LENGTH = '2026-11-20T10:12:28.123456789+05:30'.length;
const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d{1,9}))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;
const MS_PER_MINUTE = 60_000;

/**
 * Parses an RFC 3339 date-time; null if invalid. The zone is required. Digits after the microsecond are dropped. A leap
 * second is converted to the following second; it is valid only at the end of a month in UTC.
 */
export function parseScheduledAt(text: string): ScheduledAt | null {
  if (text.length > MAX_LENGTH) return null;
  const match = RFC_3339.exec(text);
  if (match === null) return null;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = match;

  const date = new Date(0);
  // Date.UTC would map the years 0 to 99 to 1900 to 1999.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null;
  date.setUTCHours(Number(hour), Number(minute), Number(second));
  const offsetMs = (Number(offsetHour) * 60 + Number(offsetMinute)) * MS_PER_MINUTE;
  date.setTime(date.getTime() + (sign === '-' ? offsetMs : -offsetMs));
  if (date.getUTCFullYear() < 1 || date.getUTCFullYear() > 9999) return null;
  if (second === '60' && !isStartOfMonth(date)) return null;

  const micros = fraction.padEnd(6, '0').slice(0, 6);
  const timestamp = `${date.toISOString().slice(0, 19)}.${micros}Z`;
  date.setUTCMilliseconds(Number(micros.slice(0, 3)));
  return { date, timestamp };
}

function isStartOfMonth(date: Date): boolean {
  return (
    date.getUTCDate() === 1 && date.getUTCHours() === 0 && date.getUTCMinutes() === 0 && date.getUTCSeconds() === 0
  );
}
