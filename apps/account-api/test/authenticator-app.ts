import { until } from '@heliograph/testing';
import { Secret, TOTP } from 'otpauth';

const STEP_MS = 30_000;

/** What an authenticator app shows, so many steps of 30 seconds from now. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * STEP_MS });
}

/** A code that is not that of any step that would be taken. */
export function wrongCodeOf(secret: string): string {
  const taken = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !taken.includes(code))!;
}

/** Codes are made before they are used: waits until there is time enough in the step for a test. */
export async function timeInStep(): Promise<void> {
  await until('a step has seconds left', () => Date.now() % STEP_MS < STEP_MS - 5_000);
}
