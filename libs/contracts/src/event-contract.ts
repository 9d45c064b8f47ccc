import { z } from 'zod';

/**
 * What every event on the bus carries. A published version never changes: what must change becomes the next version
 * beside it.
 */
export interface EventEnvelope<Data = unknown> {
  /** Stable over redeliveries: consumers may use it to recognize a repeat. */
  id: string;
  type: string;
  version: number;
  /** RFC 3339, UTC. */
  time: string;
  organizationId: string | null;
  workspaceId: string | null;
  /** The X-Request-Id of the call that it all began with. */
  correlationId: string | null;
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
});

export interface EventContract<Schema extends z.ZodType = z.ZodType> {
  type: string;
  version: number;
  /** A job needs a queue behind it, so it is published `mandatory`; a fact may have no listener yet. */
  mandatory: boolean;
  schema: Schema;
}

export type EventOf<C extends EventContract> = EventEnvelope<z.output<C['schema']>>;

export function defineEvent<Schema extends z.ZodType>(contract: EventContract<Schema>): EventContract<Schema> {
  return contract;
}

/** Reads an event from the bus. Throws with the reason when it is not one of this contract. */
export function parseEvent<C extends EventContract>(contract: C, payload: unknown): EventOf<C> {
  const envelope = envelopeSchema.parse(payload);
  if (envelope.type !== contract.type || envelope.version !== contract.version) {
    throw new Error(`expected ${contract.type} v${contract.version}, got ${envelope.type} v${envelope.version}`);
  }
  return { ...envelope, data: contract.schema.parse(envelope['data']) as z.output<C['schema']> };
}
