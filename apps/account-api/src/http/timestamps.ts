/** RFC 3339 in UTC. */
export function toTimestamp(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}

/** The date of an RFC 3339 timestamp; absent and null remain. */
export function toDate<Absent extends null | undefined>(timestamp: string | Absent): Date | Absent {
  return typeof timestamp === 'string' ? new Date(timestamp) : timestamp;
}
