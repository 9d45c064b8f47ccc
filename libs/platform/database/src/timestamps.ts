const SECOND = 1_000_000;
let lastMicros = 0;

/**
 * Current time in microseconds since 1970: milliseconds of the wall clock plus the fraction of the monotonic clock.
 * Monotonic within the process, unless the wall clock is set back by more than a second.
 */
function nowMicros(): number {
  const now = Date.now() * 1000 + (Math.floor(performance.now() * 1000) % 1000);
  lastMicros = now > lastMicros || lastMicros - now > SECOND ? now : lastMicros + 1;
  return lastMicros;
}

/** Current time as a messaging timestamp: `2026-11-20T10:12:28.123456`, UTC, six digits, without a zone. */
export function messagingNow(): string {
  const micros = nowMicros();
  const milliseconds = Math.floor(micros / 1000);
  return `${new Date(milliseconds).toISOString().slice(0, 23)}${String(micros % 1000).padStart(3, '0')}`;
}

/** SQL expression that formats a timestamptz column as a messaging timestamp. */
export function messagingTimestampSql(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;
}

/** Formats a Date as a messaging timestamp. */
export function toMessagingTimestamp(date: Date): string {
  return `${date.toISOString().slice(0, 23)}000`;
}
