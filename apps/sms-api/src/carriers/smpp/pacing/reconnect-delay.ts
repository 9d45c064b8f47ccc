/**
 * Delay before connection attempt `failures` + 1, in milliseconds: exponential back-off with full jitter, so that the
 * binds of many processes do not reconnect at the same time. `random` is in [0, 1).
 */
export function reconnectDelayMs(failures: number, minMs: number, maxMs: number, random = Math.random()): number {
  return random * Math.min(maxMs, minMs * 2 ** Math.min(failures, 30));
}
