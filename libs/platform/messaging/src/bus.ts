import type { PoolClient } from 'pg';

/** An event on its way from the outbox to the bus. */
export interface OutgoingEvent {
  id: string;
  type: string;
  /** The JSON text of an EventEnvelope: nobody on the way needs to read it. */
  body: string;
  /** Null: to every queue that is bound to the type. Else to that queue alone. */
  queue: string | null;
  attempt: number;
}

/** An event that a queue hands to its consumer. */
export interface Delivery {
  /** Undefined when the body was not JSON. */
  payload: unknown;
  attempt: number;
}

/** What becomes of a delivery once its consumer is done with it. */
export type Verdict = { kind: 'done' } | { kind: 'again' } | { kind: 'dead'; error: string };

export interface QueueDefinition {
  /** `<service>.<purpose>` */
  name: string;
  /** Event types that are routed to it. */
  bindings: string[];
  /** Deliveries that may be in a consumer's hands at once. */
  prefetch: number;
}

/** A queue whose consumer may be in another process, or in one that is still to come. */
export type KeptQueue = Omit<QueueDefinition, 'prefetch'>;

export interface Consumption {
  /** No new deliveries; resolves when those in hand are settled. */
  stop(): Promise<void>;
}

export interface DeadLetter {
  id: string;
  type: string;
  error: string;
  payload: unknown;
}

/** Carries events between services. RabbitMQ in production, PostgreSQL in the local stack. */
export interface Bus {
  readonly ready: boolean;
  /** Connects, and keeps connected. */
  start(): Promise<void>;
  /**
   * Hands events over durably. Resolves with those that were not taken (each with the reason); rejects when it is
   * unknown which were. `transaction` is the one that deletes the outbox rows.
   */
  publish(events: OutgoingEvent[], transaction: PoolClient): Promise<Map<string, string>>;
  consume(queue: QueueDefinition, consume: (delivery: Delivery) => Promise<Verdict>): Promise<Consumption>;
  /**
   * Hears events of these types in this process, as every other listener of every other process does. Nothing is kept for
   * who is not there, or repeated: it is for what can also be looked up, such as that something has changed.
   */
  listen(types: readonly string[], hear: (payload: unknown) => void): Promise<Consumption>;
  /** Has the queue there, with nobody here who consumes it: what is bound to it waits until somebody does. */
  keepQueue(queue: KeptQueue): Promise<void>;
  deadLetters(queue: string, limit: number): Promise<DeadLetter[]>;
  /** Gives dead letters back to their queue; returns how many. */
  replay(queue: string, limit: number): Promise<number>;
  /** Deliveries that wait in a queue; null while it cannot be told. */
  depth(queue: string): Promise<number | null>;
  stop(): Promise<void>;
}

/** Types with a queue that must be there: publishing one that reaches nobody is a failure. */
export type IsMandatory = (type: string) => boolean;
