import { z } from 'zod';
import type { ServiceName } from '../routes';

const LOOK_TIMEOUT_MS = 3_000;

const serviceReport = z.object({
  status: z.enum(['ok', 'degraded', 'unavailable']).default('ok'),
  checks: z.record(z.string(), z.string()).default({}),
});

/** `degraded`: a dependency is down that calls do not need. */
export type Status = z.infer<typeof serviceReport>['status'];

export interface ServiceState {
  status: Status;
  /** The dependencies of the service: `ok` or the error. */
  checks: Record<string, string>;
}

export interface Readiness {
  /** The worst status of a service. */
  status: Status;
  services: Record<string, Status>;
}

/** Checks all services at the same time. */
export async function readiness(services: ReadonlyMap<ServiceName, number>): Promise<Readiness> {
  const states = await Promise.all(
    [...services].map(async ([name, port]) => [name, (await lookAt(port)).status] as const),
  );
  const statuses = states.map(([, status]) => status);
  return {
    status: statuses.includes('unavailable') ? 'unavailable' : statuses.includes('degraded') ? 'degraded' : 'ok',
    services: Object.fromEntries(states),
  };
}

/** The state that a service reports; not ready without an answer. */
export async function lookAt(port: number): Promise<ServiceState> {
  try {
    const signal = AbortSignal.timeout(LOOK_TIMEOUT_MS);
    const response = await fetch(`http://127.0.0.1:${port}/health/ready`, { signal });
    const report = serviceReport.parse(await response.json());
    return response.ok ? report : { ...report, status: 'unavailable' };
  } catch {
    return { status: 'unavailable', checks: {} };
  }
}
