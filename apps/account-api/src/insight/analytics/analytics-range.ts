import { ceil, floor, startOf, startOfNext, type Interval, type Range } from '@heliograph/analytics';
import { fieldError, parseScheduledAt } from '@heliograph/service-kit';
import type { V1AnalyticsQuery } from './analytics-query.dto';

const DAY_MS = 24 * 60 * 60_000;
const DEFAULT_MS = 30 * DAY_MS;
const MAX_DAYS = 1_100;
const MAX_POINTS = 1_100;

export interface Point extends Range {
  /** Start of the hour, day or month. It may be before the start of the range. */
  at: Date;
}

/** The time range of a query and the points of its time series. */
export interface Span extends Range {
  interval: Interval;
  timeZone: string;
  points: Point[];
}

/** Throws INVALID_REQUEST with the field for a range that is empty, too long or has too many points. */
export function spanOf({ from, until, interval = 'day', time_zone: timeZone = 'UTC' }: V1AnalyticsQuery): Span {
  const before = ceil('quarter', timeOf(until) ?? new Date());
  const since = floor('quarter', timeOf(from) ?? new Date(before.getTime() - DEFAULT_MS));
  if (since >= before) throw fieldError('INVALID_REQUEST', 'until', 'until must be after from.');
  if (before.getTime() - since.getTime() > MAX_DAYS * DAY_MS) {
    throw fieldError('INVALID_REQUEST', 'from', `The range can have at most ${MAX_DAYS} days.`);
  }
  const points: Point[] = [];
  for (let at = startOf(interval, timeZone, since); at < before;) {
    if (points.length === MAX_POINTS) {
      const message = `The series would have more than ${MAX_POINTS} points. Choose a longer interval or a shorter range.`;
      throw fieldError('INVALID_REQUEST', 'interval', message);
    }
    const next = startOfNext(interval, timeZone, at);
    points.push({ at, since: at < since ? since : at, before: next > before ? before : next });
    at = next;
  }
  return { since, before, interval, timeZone, points };
}

function timeOf(text: string | undefined): Date | null {
  return text === undefined ? null : (parseScheduledAt(text)?.date ?? null);
}
