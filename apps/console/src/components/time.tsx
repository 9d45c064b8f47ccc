const RELATIVE = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto', style: 'short' });
const ABSOLUTE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });

const UNITS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
];

/** Such as “2 hr. ago” or “in 3 days”. */
export function relativeTime(time: Date, now: Date): string {
  const seconds = Math.round((time.getTime() - now.getTime()) / 1_000);
  const [unit, length] = UNITS.find(([, each]) => Math.abs(seconds) >= each) ?? ['second', 1];
  return RELATIVE.format(Math.trunc(seconds / length), unit);
}

/** A time in the zone of the person, with UTC on hover. */
export function Time({ value, form = 'relative' }: { value: string; form?: 'relative' | 'absolute' | 'day' }) {
  const time = new Date(value);
  const text = form === 'relative' ? relativeTime(time, new Date()) : (form === 'day' ? DAY : ABSOLUTE).format(time);
  return (
    <time dateTime={value} title={`${ABSOLUTE.format(time)} · ${time.toISOString()}`}>
      {text}
    </time>
  );
}
