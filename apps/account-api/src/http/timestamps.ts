/** Formats a date as an RFC 3339 timestamp in UTC. */
export function toTimestamp(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}

/** Parses an RFC 3339 timestamp. Undefined and null are returned unchanged. */
export function toDate<Absent extends null | undefined>(timestamp: string | Absent): Date | Absent {
  return typeof timestamp === 'string' ? new Date(timestamp) : timestamp;
}
