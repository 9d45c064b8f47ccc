import type { ToolProcess } from '@heliograph/harness';

const SAMPLE_EVERY_MS = 50;

/** Resolves with the result of the work and the highest increase of resident memory of a process meanwhile. */
export async function measureMemory<T>(
  { process }: { process: ToolProcess },
  work: () => Promise<T>,
): Promise<{ result: T; memoryMb: number }> {
  const before = process.memoryMb();
  let highest = before;
  const sampling = setInterval(() => (highest = Math.max(highest, process.memoryMb())), SAMPLE_EVERY_MS);
  try {
    return { result: await work(), memoryMb: highest - before };
  } finally {
    clearInterval(sampling);
  }
}
