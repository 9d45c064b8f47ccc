const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** Formats a date, for example as `20 November 2026`. */
export function formatDay(date: Date): string {
  return DAY.format(date);
}

/** Formats a timestamp, for example as `20 November 2026 at 10:12 UTC`. */
export function formatTimestamp(date: Date): string {
  return `${MOMENT.format(date)} UTC`;
}
