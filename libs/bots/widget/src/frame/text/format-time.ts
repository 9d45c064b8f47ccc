const DAY_MS = 86_400_000;

/** `10:12`, in the format of the locale. */
export const timeOf = (date: Date, locale: string): string =>
  Number.isNaN(date.getTime()) ? '' : new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(date);

/** The heading of a day: today, yesterday, a weekday, or a date. */
export function dayOf(date: Date, locale: string, now: Date = new Date()): string {
  const days = Math.round((startOfDay(date) - startOfDay(now)) / DAY_MS);
  if (days === 0 || days === -1) {
    const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day');
    return words.charAt(0).toLocaleUpperCase(locale) + words.slice(1);
  }
  const isThisYear = date.getFullYear() === now.getFullYear();
  return new Intl.DateTimeFormat(locale, {
    weekday: days > -7 && days < 0 ? 'long' : undefined,
    day: 'numeric',
    month: 'long',
    year: isThisYear ? undefined : 'numeric',
  }).format(date);
}

const startOfDay = (date: Date): number => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime();
