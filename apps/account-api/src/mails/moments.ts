const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const MOMENT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });

/** Such as `20 November 2026`. */
export function toDay(date: Date): string {
  return DAY.format(date);
}

/** Such as `20 November 2026 at 10:12 UTC`. */
export function toMoment(date: Date): string {
  return `${MOMENT.format(date)} UTC`;
}
