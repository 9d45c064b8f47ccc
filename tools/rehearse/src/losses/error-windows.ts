import { setTimeout as delay } from 'node:timers/promises';
import type { RunTarget } from '@heliograph/chaos';

const PROBE_EVERY_MS = 100;
const PROBE_TIMEOUT_MS = 5_000;

export interface LossWindow {
  /** From the first failed call until the first of the following successful ones; 0 if none failed. */
  errorMs: number;
  failedCalls: number;
  calls: number;
  /** The longest time in which the carrier accepted no SMS. */
  deliveryGapMs: number;
}

/** Calls the SMS API continuously while something is lost, and watches what arrives at the carrier. */
export async function measureLoss(
  { services, carrier }: RunTarget,
  { bearerToken, messageId }: { bearerToken: string; messageId: string },
  during: () => Promise<void>,
): Promise<LossWindow> {
  const url = `${services.urlOf('sms-api')}/sms/status?id=${messageId}`;
  let running = true;
  const window: LossWindow = { errorMs: 0, failedCalls: 0, calls: 0, deliveryGapMs: 0 };
  let firstFailureAt = 0;
  const probe = async (): Promise<void> => {
    for (; running; await delay(PROBE_EVERY_MS)) {
      const startedAt = Date.now();
      const succeeded = await fetch(url, {
        headers: { authorization: `Bearer ${bearerToken}` },
        signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
      }).then(
        ({ ok }) => ok,
        () => false,
      );
      window.calls++;
      if (succeeded) {
        if (firstFailureAt > 0) window.errorMs = Math.max(window.errorMs, Date.now() - firstFailureAt);
        firstFailureAt = 0;
        continue;
      }
      window.failedCalls++;
      if (firstFailureAt === 0) firstFailureAt = startedAt;
    }
    if (firstFailureAt > 0) window.errorMs = Math.max(window.errorMs, Date.now() - firstFailureAt);
  };
  const watch = async (): Promise<void> => {
    let seen = carrier.messages().length;
    let since = Date.now();
    for (; running; await delay(PROBE_EVERY_MS)) {
      const count = carrier.messages().length;
      if (count === seen) {
        window.deliveryGapMs = Math.max(window.deliveryGapMs, Date.now() - since);
        continue;
      }
      seen = count;
      since = Date.now();
    }
  };
  const measuring = [probe(), watch()];
  try {
    await during();
  } finally {
    running = false;
    await Promise.all(measuring);
  }
  return window;
}
