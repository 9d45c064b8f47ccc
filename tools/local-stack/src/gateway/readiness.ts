import { z } from 'zod';
import type { ServiceName } from '../routes';

const LOOK_TIMEOUT_MS = 3_000;

const serviceReport = z.object({ checks: z.record(z.string(), z.string()).default({}) });

export interface ServiceState {
  ready: boolean;
  /** The dependencies of the service: `ok` or the error. */
  checks: Record<string, string>;
}

export interface Readiness {
  status: 'ok' | 'unavailable';
  services: Record<string, 'ok' | 'unavailable'>;
}

/** Checks all services at the same time. The stack is ready if all of them are. */
export async function readiness(services: ReadonlyMap<ServiceName, number>): Promise<Readiness> {
  const states = await Promise.all(
    [...services].map(async ([name, port]) => [name, (await lookAt(port)).ready ? 'ok' : 'unavailable'] as const),
  );
  return {
    status: states.every(([, state]) => state === 'ok') ? 'ok' : 'unavailable',
    services: Object.fromEntries(states),
  };
}

/** The state that a service reports; not ready without an answer. */
export async function lookAt(port: number): Promise<ServiceState> {
  try {
    const signal = AbortSignal.timeout(LOOK_TIMEOUT_MS);
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal });
    return { ready: response.ok, checks: serviceReport.parse(await response.json()).checks };
  } catch {
    return { ready: false, checks: {} };
  }
}
