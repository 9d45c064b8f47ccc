import { Controller, Get, Header, Inject } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { Public } from '../access';
import { AdmittedByService } from '../limits/admitted-by-service.decorator';

/** The metrics registry of the service; libraries and features add their own metrics. */
export const METRICS = Symbol('Metrics');

/** Gauges of prom-client with the suffix of counters; the metrics without the suffix have the same data by type. */
const MISNAMED = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total'];

export function createRegistry(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry });
  for (const name of MISNAMED) registry.removeSingleMetric(name);
  return registry;
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
