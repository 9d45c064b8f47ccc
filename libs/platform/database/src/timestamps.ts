const SECOND = 1_000_000;
let lastMicros = 0;

/**
 * Now, in microseconds since 1970. The wall clock gives milliseconds, the monotonic clock the fraction. Rises within
 * the process, except when the wall clock is set back by more than a second: then the wall clock wins.
 */
function nowMicros(): number {
  const now = Date.now() * 1000 + (Math.floor(performance.now() * 1000) % 1000);
  lastMicros = now > lastMicros || lastMicros - now > SECOND ? now : lastMicros + 1;
  return lastMicros;
}

/** Messaging timestamp of now: `2026-11-20T10:12:28.123456`, UTC, six digits, no zone. */
export function messagingNow(): string {
  const micros = nowMicros();
  const milliseconds = Math.floor(micros / 1000);
  return `${new Date(milliseconds).toISOString().slice(0, 23)}${String(micros % 1000).padStart(3, '0')}`;
}

/** SQL that shows a timestamptz column as a messaging timestamp. */
export function messagingTimestampSql(column: string): string {
  return `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US')`;
}

/** A Date as a messaging timestamp. */
export function toMessagingTimestamp(date: Date): string {
  return `${date.toISOString().slice(0, 23)}000`;
}
