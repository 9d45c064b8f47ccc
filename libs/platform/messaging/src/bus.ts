import type { PoolClient } from 'pg';

/** An event that the relay publishes from the outbox. */
export interface OutgoingEvent {
  id: string;
  type: string;
  /** The JSON text of an EventEnvelope. It is passed on without parsing. */
  body: string;
  /** `null`: deliver to every queue that is bound to the type. Otherwise the name of the only target queue. */
  queue: string | null;
  /** The routing key on the broker, if it is not the type. */
  routingKey?: string;
  /** The header of the message, if its trace is recorded. */
  traceparent?: string;
  attempt: number;
}

/** An event that is delivered to a consumer. */
export interface Delivery {
  /** Undefined when the body was not JSON. */
  payload: unknown;
  attempt: number;
}

/** How a consumer settles a delivery. */
export type DeliveryOutcome = { kind: 'ack' } | { kind: 'requeue' } | { kind: 'deadLetter'; error: string };

export interface QueueDefinition {
  /** `<service>.<purpose>` */
  name: string;
  /** Event types that are routed to it. */
  bindings: string[];
  /** Maximum number of unsettled deliveries of a consumer. */
  prefetch: number;
}

/** A queue that may exist before it has a consumer, or that a consumer of another process uses. */
export type DeclaredQueue = Omit<QueueDefinition, 'prefetch'>;

export interface Consumption {
  /** Ends the deliveries. Resolves when all deliveries in flight are settled. */
  stop(): Promise<void>;
}

export interface DeadLetter {
  id: string;
  type: string;
  error: string;
  payload: unknown;
}

/** An event that leaves its queue on the broker. */
export interface MovedEvent {
  /** JSON text. */
  body: string;
  attempt: number;
  /** The last error of a dead letter; null for a waiting event. */
  error: string | null;
}

/** Registers a callback that is called after the commit of a transaction. */
export type AfterCommit = (callback: () => void) => void;

/** Carries events between services. RabbitMQ in production, PostgreSQL in the local stack. */
export interface Bus {
  readonly ready: boolean;
  /** The durable queues that this process has declared on the broker, without their prefix. */
  readonly queueNames: readonly string[];
  /** Connects, and reconnects whenever the connection is lost. */
  start(): Promise<void>;
  /**
   * Resolves when the queues of this process exist, or when the broker is found to be unavailable; at the latest after
   * `timeoutMs`.
   */
  untilSetUp(timeoutMs: number): Promise<void>;
  /**
   * Publishes events durably. Resolves with the rejected events (id and reason); rejects if the state of some events is
   * unknown.
   * @param transaction the transaction that deletes the outbox rows
   * @param afterCommit takes what the bus does after the commit of the transaction
   */
  publish(events: OutgoingEvent[], transaction: PoolClient, afterCommit: AfterCommit): Promise<Map<string, string>>;
  consume(queue: QueueDefinition, consume: (delivery: Delivery) => Promise<DeliveryOutcome>): Promise<Consumption>;
  /**
   * Calls `onEvent` with every event of these types. Every subscriber of every process receives every event. Delivery
   * is at most once: events are lost while the process is not connected. Use it only for signals whose state can also
   * be read from the database.
   */
  subscribe(types: readonly string[], onEvent: (payload: unknown) => void): Promise<Consumption>;
  /** Creates a queue and its bindings without consuming it. Events wait in it until a consumer starts. */
  declareQueue(queue: DeclaredQueue): Promise<void>;
  /** Number of dead letters; `null` if unknown. */
  deadLetterCount(queue: string): Promise<number | null>;
  deadLetters(queue: string, limit: number): Promise<DeadLetter[]>;
  /** Moves dead letters back to their queue. Returns how many. */
  replay(queue: string, limit: number): Promise<number>;
  /** Number of waiting events, without those that consumers hold; `null` if unknown. */
  depth(queue: string): Promise<number | null>;
  /**
   * Passes on the events and dead letters of a queue that is not consumed any more, and removes its bindings. Each call of `move`
   * must store its events before it resolves; they may arrive again.
   */
  moveEvents?(queue: DeclaredQueue, move: (events: MovedEvent[]) => Promise<void>): Promise<void>;
  stop(): Promise<void>;
}

/** Whether publishing an event of this type fails when no queue is bound to it. */
export type IsMandatory = (type: string) => boolean;
