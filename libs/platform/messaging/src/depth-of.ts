import type { Bus } from './bus';

/** Resolves with the number of events that wait in these queues; null if it is unknown. */
export async function depthOf(bus: Bus, queues: readonly string[]): Promise<number | null> {
  const depths = await Promise.all(queues.map((queue) => bus.depth(queue).catch(() => null)));
  return depths.reduce<number | null>((sum, depth) => (sum === null || depth === null ? null : sum + depth), 0);
}
