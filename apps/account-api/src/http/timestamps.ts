import { parseScheduledAt } from '@heliograph/service-kit';

/** Parses an RFC 3339 timestamp that `IsTimestamp` has accepted. Undefined and null are returned unchanged. */
export function toDate<Absent extends null | undefined>(timestamp: string | Absent): Date | Absent {
  if (typeof timestamp !== 'string') return timestamp;
  const instant = parseScheduledAt(timestamp);
  if (instant === null) throw new RangeError('The timestamp is not valid. Check it with IsTimestamp first.');
  return instant.date;
}
