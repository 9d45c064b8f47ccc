import { setTimeout as delay } from 'node:timers/promises';
import { ToolProcess } from '@heliograph/harness';
import { RefusedCallError } from '../../import-contacts';
import type { LoadOrder, LoadProgress } from '../../load-generator';
import { numberOf } from '../queries';
import { totalsOf } from '../service-config';
import type { ServiceName, Stack } from './stack';

/** What A does. */
export interface Noise {
  /** How much A has got done so far. */
  done(): Promise<number>;
  stop(): Promise<void>;
}

export type CallOrder = Partial<LoadOrder> & Pick<LoadOrder, 'kind' | 'connections'> & { service: ServiceName };

/** Far more than a case takes. */
const DURATION_MS = 300_000;
const ADMISSION_ATTEMPTS = 60;
const ADMISSION_RETRY_MS = 1_000;

/** Calls of A, made by a process of its own, so that it does not slow down the measurement of B. */
export async function startCalls(stack: Stack, { service, ...order }: CallOrder): Promise<Noise> {
  const [port = 0, ...morePorts] = stack.portsOf(service);
  const { workspaceId, siblingId } = stack.neighbours.a;
  const full: LoadOrder = {
    port,
    morePorts,
    path: '',
    population: 1,
    workspaceIds: [workspaceId, siblingId],
    durationMs: DURATION_MS,
    calls: Number.MAX_SAFE_INTEGER,
    offset: 0,
    mayRefuse: true,
    ...order,
  };
  const generator = new ToolProcess(`noise of ${order.kind}`, 'load-generator', {}, [JSON.stringify(full)]);
  await generator.nextJson<LoadProgress>();
  return {
    done: async () => (await totalsOf<LoadProgress>(generator)).ok,
    stop: async () => void (await generator.stop('SIGKILL')),
  };
}

/** Work of A that waits in the system. `query` counts what is finished, for the organization A. */
export function countWork(stack: Stack, query: string): Noise {
  return {
    done: () => numberOf(stack.pool, query, [stack.neighbours.a.organizationId]),
    stop: () => Promise.resolve(),
  };
}

/** Several kinds of noise at once. What is done is the sum. */
export function together(...noises: readonly Noise[]): Noise {
  return {
    done: async () => (await Promise.all(noises.map((noise) => noise.done()))).reduce((sum, done) => sum + done, 0),
    stop: async () => void (await Promise.all(noises.map((noise) => noise.stop()))),
  };
}

/** Noise whose progress is that of `counted`. The other noises are only started and stopped. */
export function countedBy(counted: Noise, ...others: readonly Noise[]): Noise {
  return {
    done: () => counted.done(),
    stop: async () => void (await Promise.all([counted, ...others].map((noise) => noise.stop()))),
  };
}

/** Repeats a call of A while A is held back. */
export async function untilAdmitted<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (!isHeldBack(error) || attempt === ADMISSION_ATTEMPTS) throw error;
      await delay(ADMISSION_RETRY_MS);
    }
  }
}

/** An upload may be refused before its body is read. `fetch` then reports only that the connection was closed. */
function isHeldBack(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof RefusedCallError && error.status === 429);
}
