import type { EventEnvelope } from '@heliograph/contracts';
import type { Tracing, TraceSpan } from '@heliograph/service-kit';
import type { PoolClient } from 'pg';
import type { OutgoingEvent } from '../bus';
import { findTraces } from './trace-store';

/** The spans of a publication. */
export interface TracedEvents {
  events: OutgoingEvent[];
  /** Ends the spans. `refused`: reasons by event id. */
  end(refused: ReadonlyMap<string, string>): void;
}

/**
 * Starts a span for each event of a request whose trace is recorded, and adds it to the event: to the envelope, which each queue keeps, and
 * to the header of the message on the broker.
 */
export async function traceEvents(
  tracing: Tracing,
  events: OutgoingEvent[],
  transaction: PoolClient,
): Promise<TracedEvents> {
  const parsed = events.map(({ body }) => JSON.parse(body) as EventEnvelope);
  const requestIds = new Set(parsed.flatMap(({ correlationId }) => correlationId ?? []));
  const traces = await findTraces(transaction, [...requestIds]);
  const spans = new Map<string, TraceSpan>();
  const traced = events.map((event, index): OutgoingEvent => {
    const envelope = parsed[index];
    const parent =
      envelope && traces.of({ organizationId: envelope.organizationId, requestId: envelope.correlationId ?? '' });
    const attributes = { 'messaging.system': 'rabbitmq', 'messaging.destination.name': event.type };
    const span = tracing.start(`publish ${event.type}`, { kind: 'producer', parent, attributes });
    if (!span || !envelope) return event;
    spans.set(event.id, span);
    const { traceparent } = span;
    return { ...event, traceparent, body: JSON.stringify({ ...envelope, traceparent }) };
  });
  return {
    events: traced,
    end: (refused) => {
      for (const [id, span] of spans) span.end({}, refused.get(id));
    },
  };
}
