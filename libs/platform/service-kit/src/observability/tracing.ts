import type { Attributes, Span, SpanKind } from '@opentelemetry/api';
import type { ServiceConfig } from '../config/service.config';

/** The context of a span in the format of W3C Trace Context: version, trace id, span id, flags. */
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?=$|-)/;
/** A header of version 00 has nothing after the flags. */
const VERSION_0 = /^00-.{52}.+/;
const SAMPLED = 1;

export interface SpanOptions {
  kind: 'server' | 'client' | 'producer' | 'consumer';
  /** The traceparent of the parent; undefined or invalid: a span of kind `server` begins a trace, and others are not recorded. */
  parent: string | undefined;
  attributes?: Attributes;
  /** Default: now. */
  startedAt?: Date;
}

/** A span that was started and not ended. */
export interface TraceSpan {
  traceId: string;
  /** The parent of spans that this one causes. */
  traceparent: string;
  isSampled: boolean;
  /** @param error the reason of a failure */
  end(attributes?: Attributes, error?: unknown): void;
}

/** A request. Callers choose its id, so organizations can use the same one. */
export interface RequestKey {
  /** Null for a call without the credentials of an organization. */
  organizationId: string | null;
  /** X-Request-Id */
  requestId: string;
}

/** The parts of the SDK that are loaded only if tracing is on. */
interface TracingSdk {
  kinds: Record<SpanOptions['kind'], SpanKind>;
  failed: number;
  start(name: string, options: SpanOptions & { kindOf: SpanKind }): Span;
  stop(): Promise<void>;
}

/**
 * Traces in the format of OpenTelemetry. Every method costs a comparison while tracing is off. The parent of a span is a
 * parameter and no context of asynchronous calls, which would cost time in every call.
 */
export class Tracing {
  /** The spans of the requests that are in progress, by organization and X-Request-Id, which all services pass on with what they do. */
  private readonly requests = new Map<string, TraceSpan>();
  /** Stores the trace of a request, so that other processes continue it. Set by the module of the outbox. */
  store: ((request: RequestKey, traceparent: string) => Promise<void>) | null = null;

  constructor(private readonly sdk: TracingSdk | null) {}

  get isOn(): boolean {
    return this.sdk !== null;
  }

  /** Starts a span. Null while tracing is off, or without a parent unless the span is that of a request. */
  start(name: string, options: SpanOptions): TraceSpan | null {
    const { sdk } = this;
    if (sdk === null) return null;
    const parent = parseTraceparent(options.parent) === null ? undefined : options.parent;
    if (parent === undefined && options.kind !== 'server') return null;
    const span = sdk.start(name, { ...options, parent, kindOf: sdk.kinds[options.kind] });
    const { traceId, spanId, traceFlags } = span.spanContext();
    return {
      traceId,
      traceparent: `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`,
      isSampled: (traceFlags & SAMPLED) !== 0,
      end: (attributes, error) => {
        if (attributes) span.setAttributes(attributes);
        // The message of an error can contain data of a person.
        if (error !== undefined)
          span.setStatus({ code: sdk.failed, message: error instanceof Error ? error.name : String(error) });
        span.end();
      },
    };
  }

  /** Starts the span of a request, and resolves when other processes can continue its trace. */
  async startRequest(request: RequestKey, span: TraceSpan): Promise<void> {
    this.requests.set(keyOf(request), span);
    if (span.isSampled) await this.store?.(request, span.traceparent);
  }

  endRequest(request: RequestKey, span: TraceSpan): void {
    const key = keyOf(request);
    // A later request with the same id is still in progress.
    if (this.requests.get(key) === span) this.requests.delete(key);
  }

  /** The traceparent of a request that this process is answering. */
  ofRequest(organizationId: string | null, requestId: string | null): string | undefined {
    return requestId === null ? undefined : this.requests.get(keyOf({ organizationId, requestId }))?.traceparent;
  }

  /** Sends the spans that are not sent yet. */
  async stop(): Promise<void> {
    await this.sdk?.stop();
  }
}

function keyOf({ organizationId, requestId }: RequestKey): string {
  return `${organizationId ?? ''} ${requestId}`;
}

interface SpanContext {
  traceId: string;
  spanId: string;
  traceFlags: number;
}

/** Null if the header is not valid. */
export function parseTraceparent(header: string | undefined): SpanContext | null {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(header ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined || VERSION_0.test(header ?? '')) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & SAMPLED };
}

/**
 * Creates the tracing of a process. It is on if an endpoint for traces is configured; otherwise nothing of the SDK is loaded. The SDK
 * reads the other standard variables, such as OTEL_TRACES_SAMPLER, from the environment.
 */
export async function createTracing(
  config: Pick<
    ServiceConfig,
    | 'OTEL_SDK_DISABLED'
    | 'OTEL_EXPORTER_OTLP_ENDPOINT'
    | 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'
    | 'OTEL_SERVICE_NAME'
    | 'BUILD_VERSION'
    | 'ROLE'
  >,
  service: string,
): Promise<Tracing> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: base, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: own } = config;
  const url = own ?? (base && `${base.replace(/\/+$/, '')}/v1/traces`);
  if (config.OTEL_SDK_DISABLED || !url) return new Tracing(null);
  const [api, sdk, exporters, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ]);
  const resource = resources.detectResources({ detectors: [resources.envDetector] }).merge(
    resources.resourceFromAttributes({
      'service.name': config.OTEL_SERVICE_NAME ?? service,
      'service.version': config.BUILD_VERSION,
      'heliograph.role': config.ROLE,
    }),
  );
  const provider = new sdk.BasicTracerProvider({
    resource,
    spanProcessors: [new sdk.BatchSpanProcessor(new exporters.OTLPTraceExporter({ url }))],
  });
  const tracer = provider.getTracer('heliograph');
  const { SpanKind: kinds } = api;
  return new Tracing({
    kinds: { server: kinds.SERVER, client: kinds.CLIENT, producer: kinds.PRODUCER, consumer: kinds.CONSUMER },
    failed: api.SpanStatusCode.ERROR,
    start: (name, { kindOf: kind, parent, attributes = {}, startedAt }) => {
      const context = parseTraceparent(parent);
      return tracer.startSpan(
        name,
        { kind, attributes, root: context === null, ...(startedAt && { startTime: startedAt }) },
        context ? api.trace.setSpanContext(api.ROOT_CONTEXT, { ...context, isRemote: true }) : api.ROOT_CONTEXT,
      );
    },
    stop: () => provider.shutdown(),
  });
}
