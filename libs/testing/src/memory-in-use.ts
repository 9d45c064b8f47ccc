import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const MEASUREMENTS = 4;
const RELEASE_MS = 20;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/**
 * Returns the memory in use by this process in bytes, without garbage. The process contains the service under test and its
 * client. V8 releases buffers in the background after a collection, so the result is the smallest of several measurements.
 * Stops at the first result below `limit` bytes, because a garbage collection is slow.
 */
export async function memoryInUse(limit = 0): Promise<number> {
  let smallest = Infinity;
  for (let measurements = 0; measurements < MEASUREMENTS && smallest >= limit; measurements++) {
    collectGarbage();
    await delay(RELEASE_MS);
    const { heapUsed, external } = process.memoryUsage();
    smallest = Math.min(smallest, heapUsed + external);
  }
  return smallest;
}
