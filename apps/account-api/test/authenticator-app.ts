import { until } from '@heliograph/testing';
import { Secret, TOTP } from 'otpauth';

const STEP_MS = 30_000;

/** Returns the code of an authenticator app, the given number of 30-second steps from now. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * STEP_MS });
}

/** Returns a code that is not valid in any accepted time step. */
export function wrongCodeOf(secret: string): string {
  const taken = [-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !taken.includes(code))!;
}

/** Waits until the current time step lasts long enough for a test to generate and use a code. */
export async function timeInStep(): Promise<void> {
  await until('at least five seconds of the step remain', () => Date.now() % STEP_MS < STEP_MS - 5_000);
}
