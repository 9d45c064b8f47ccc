// Dates of emails and receipts are English, with the day before the month, and in UTC.
const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** Formats a date, for example as `20 November 2026`. */
export function formatDay(date: Date): string {
  return DAY.format(date);
}

/** Formats a period, for example as `1 – 30 November 2026`; null unless both ends are known. */
export function formatPeriod(start: Date | null, end: Date | null): string | null {
  if (!start || !end) return null;
  return DAY.formatRange(start, end).replaceAll(/[\u2009\u202f]/g, ' ');
}

/** Formats a timestamp, for example as `20 November 2026 at 10:12 UTC`. */
export function formatTimestamp(date: Date): string {
  return `${MOMENT.format(date)} UTC`;
}
