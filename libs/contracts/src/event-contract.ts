import { z } from 'zod';

/** Properties of every event. Published versions are immutable; a change requires a new version. */
export interface EventEnvelope<Data = unknown> {
  /** Stable across redeliveries, so that consumers can detect repeats. */
  id: string;
  type: string;
  version: number;
  /** RFC 3339, UTC. */
  time: string;
  organizationId: string | null;
  workspaceId: string | null;
  /** X-Request-Id of the originating request. */
  correlationId: string | null;
  /** The span that published the event, or that consumes it, in the format of the header `traceparent` (W3C Trace Context). */
  traceparent?: string | undefined;
  data: Data;
}

const envelopeSchema = z.looseObject({
  id: z.uuid(),
  type: z.string(),
  version: z.int().positive(),
  time: z.string(),
  organizationId: z.uuid().nullable(),
  workspaceId: z.uuid().nullable(),
  correlationId: z.string().nullable(),
  traceparent: z.string().optional(),
});

export interface EventContract<Schema extends z.ZodType = z.ZodType> {
  type: string;
  version: number;
  /** A job, which a consumer must process, so it has a queue. A notification may have none. See `QUEUES`. */
  mandatory: boolean;
  schema: Schema;
}

export type EventOf<C extends EventContract> = EventEnvelope<z.output<C['schema']>>;

export function defineEvent<Schema extends z.ZodType>(contract: EventContract<Schema>): EventContract<Schema> {
  return contract;
}

/** Parses an event from the bus. Throws with the reason if it does not match the contract. */
export function parseEvent<C extends EventContract>(contract: C, payload: unknown): EventOf<C> {
  const envelope = envelopeSchema.parse(payload);
  if (envelope.type !== contract.type || envelope.version !== contract.version) {
    throw new Error(`expected ${contract.type} v${contract.version}, got ${envelope.type} v${envelope.version}`);
  }
  return { ...envelope, data: contract.schema.parse(envelope['data']) as z.output<C['schema']> };
}
