/**
 * Waits until the condition holds, and answers what it answered. Rejects at the deadline with the last error or with
 * `what`, never with a bare time-out.
 */
export async function until<T>(
  what: string,
  condition: () => Promise<T | false | null | undefined> | T | false | null | undefined,
  { timeoutMs = 30_000, everyMs = 25 }: { timeoutMs?: number; everyMs?: number } = {},
): Promise<T> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown;
  for (;;) {
    try {
      const answer = await condition();
      if (answer !== false && answer !== null && answer !== undefined) return answer;
      last = undefined;
    } catch (error) {
      last = error;
    }
    if (Date.now() > deadline) throw new Error(`waited ${timeoutMs} ms in vain until ${what}`, { cause: last });
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
