/** Only ends tests that hang, so it is much longer than any wait on a busy machine. */
const MAX_WAIT_MS = 60_000;

interface PollingOptions {
  timeoutMs?: number;
  everyMs?: number;
}

/** Repeats an attempt until it succeeds, and returns its result. Rejects at the deadline with the last error. */
export async function eventually<T>(
  attempt: () => Promise<T> | T,
  { timeoutMs = MAX_WAIT_MS, everyMs = 25 }: PollingOptions = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}

/** Polls until the value equals the expected one. Fails at the deadline with the last difference. */
export const expectEventually = (read: () => unknown, expected: unknown, options?: PollingOptions): Promise<void> =>
  eventually(async () => expect(await read()).toEqual(expected), options);

/**
 * Waits until the condition is true, and returns its result. Rejects at the deadline with `what`, and with the last
 * error as the cause.
 */
export async function until<T>(
  what: string,
  condition: () => Promise<T | false | null | undefined> | T | false | null | undefined,
  options: PollingOptions = {},
): Promise<T> {
  const attempt = async () => {
    const answer = await condition();
    if (answer === false || answer === null || answer === undefined) throw new Error('The condition is not true.');
    return answer;
  };
  try {
    return await eventually(attempt, options);
  } catch (cause) {
    throw new Error(`timed out after ${options.timeoutMs ?? MAX_WAIT_MS} ms: waited until ${what}`, { cause });
  }
}
