import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { Public } from '../access';
import type { Role, ServiceConfig } from '../config/service.config';
import { AdmittedByService } from '../limits/admitted-by-service.decorator';
import type { Health } from './health';

/** The metrics registry of the service; libraries and features add their own metrics. */
export const METRICS = Symbol('Metrics');

/** Gauges of prom-client with the suffix of counters; the metrics without the suffix have the same data by type. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

/** Every series has the labels `service` and `role`. */
/**
 * Resolution of the event loop delay, which is the lowest value of its metrics. The default of 10 ms wakes an idle process 100 times a
 * second, which is half of its processor time.
 */
const EVENT_LOOP_PRECISION_MS = 100;

export function createRegistry(service: string, role: Role): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service, role });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return registry;
}

/** The release of the process. */
export function registerBuildInfo(
  registry: Registry,
  { BUILD_VERSION: version, BUILD_REVISION: revision }: Pick<ServiceConfig, 'BUILD_VERSION' | 'BUILD_REVISION'>,
): void {
  const info = new Gauge({
    name: 'build_info',
    help: 'Always 1; the labels are the version and the revision of the release',
    labelNames: ['version', 'revision'],
    registers: [registry],
  });
  info.set({ version, revision }, 1);
}

/** The readiness and its checks, which are run when the metrics are read. */
export function registerHealthMetrics(registry: Registry, health: Health): void {
  const registers = [registry];
  const look = sharedReading(() => health.look());
  new Gauge({
    name: 'service_ready',
    help: 'Whether the service is ready: 1 or 0',
    registers,
    async collect() {
      const { ready } = await look();
      this.set(ready ? 1 : 0);
    },
  });
  new Gauge({
    name: 'dependency_up',
    help: 'Whether a dependency works: 1 or 0. Required `true`: the service is not ready without it',
    labelNames: ['dependency', 'required'],
    registers,
    async collect() {
      const { checks, required } = await look();
      this.reset();
      for (const [dependency, text] of Object.entries(checks))
        this.set({ dependency, required: String(required.includes(dependency)) }, text === 'ok' ? 1 : 0);
    },
  });
}

/** Shares a reading between the metrics that come from it: all metrics of a response are collected concurrently. */
export function sharedReading<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | null = null;
  return () => (reading ??= read().finally(() => (reading = null)));
}

interface ObservedCall {
  method: string;
  /** Path template of the route. */
  route: string;
  status: number;
  seconds: number;
  /** Error code of a refusal. */
  code: unknown;
}

/** Requests by route, method and status, and refusals by code. */
export class HttpMetrics {
  private readonly duration: Histogram<'method' | 'route' | 'status'>;
  private readonly refused: Counter<'code'>;

  constructor(registry: Registry) {
    this.duration = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from the first byte of the request to the last byte of the response',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
      registers: [registry],
    });
    this.refused = new Counter({
      name: 'http_requests_refused_total',
      help: 'Requests that were answered with an error, by error code',
      labelNames: ['code'],
      registers: [registry],
    });
  }

  observe({ method, route, status, seconds, code }: ObservedCall): void {
    this.duration.observe({ method, route, status: String(status) }, seconds);
    if (typeof code === 'string') this.refused.inc({ code });
  }
}

@ApiExcludeController()
@Public()
@AdmittedByService()
@Controller('metrics')
export class MetricsController {
  constructor(@Inject(METRICS) private readonly registry: Registry) {}

  @Get()
  @Header('Content-Type', 'text/plain; version=0.0.4; charset=utf-8')
  read(): Promise<string> {
    return this.registry.metrics();
  }
}
