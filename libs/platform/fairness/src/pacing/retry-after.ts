const SECONDS = /^\d{1,9}$/;
/** Every format of an HTTP date begins with the name of the day. */
const DATE = /^[A-Za-z]{3,9},? /;

/**
 * Returns the delay that the header `Retry-After` requests (RFC 9110, section 10.2.3), in milliseconds; 0 for a date in the past.
 * @param value seconds or an HTTP date
 * @returns null if the header is absent or malformed. The caller limits the delay.
 */
export function readRetryAfterMs(value: string | string[] | null | undefined, now: Date): number | null {
  const text = String(value ?? '').trim();
  if (SECONDS.test(text)) return Number(text) * 1_000;
  const at = DATE.test(text) ? Date.parse(text) : NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
}
