/** What the step comes to; rejects when it takes longer. The step itself goes on. */
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
