/** Resolves with the next result; rejects after the timeout. The iteration is not canceled. */
export async function nextWithin<T>(step: Promise<T>, timeoutMs: number, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  try {
    return await Promise.race([
      step,
      new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(late()), timeoutMs);
      }),
    ]);
  } finally {
    clearTimeout(timer);
  }
}
