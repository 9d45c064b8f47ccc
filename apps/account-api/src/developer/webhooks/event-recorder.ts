import { Injectable } from '@nestjs/common';
import type { EventEnvelope } from '@heliograph/contracts';
import {
  Dispatcher,
  EventErasure,
  EventLog,
  isEventType,
  type EventData,
  type WebhookEventType,
} from '@heliograph/webhooks';

/** Maximum number of events that are stored concurrently, in group commits. */
export const WEBHOOK_CONCURRENCY = 64;

/** Stores events of the bus in the event log, with the record that they are about. */
@Injectable()
export class EventRecorder {
  constructor(
    private readonly log: EventLog,
    private readonly dispatcher: Dispatcher,
    private readonly erasure: EventErasure,
  ) {}

  /** Stores an event, unless it has no organization or its record was deleted. */
  async record<Type extends WebhookEventType>(
    event: EventEnvelope,
    type: Type,
    read: (organizationId: string) => Promise<EventData<Type> | null>,
  ): Promise<void> {
    if (event.organizationId === null) return;
    const data = await read(event.organizationId);
    if (data !== null) await this.store(event, type, data);
  }

  /** Records one event for each record, by its position. The first one has the id of an event about a single record. */
  async recordEach<Type extends WebhookEventType>(
    event: EventEnvelope,
    type: Type,
    records: ReadonlyMap<number, EventData<Type>>,
  ): Promise<void> {
    await Promise.all(
      [...records].map(([position, data], index) =>
        this.store({ ...event, id: index === 0 ? event.id : `${event.id}:${position}` }, type, data),
      ),
    );
  }

  /** Stores an event of the bus that has the type and the record of the stored one. */
  async recordCopy(event: EventEnvelope, record: object): Promise<void> {
    if (!isEventType(event.type)) throw new Error(`The event catalog does not contain ${event.type}.`);
    await this.append(event, event.type, record);
  }

  /** Stores an event with its record, unless it has no organization. */
  async store<Type extends WebhookEventType>(event: EventEnvelope, type: Type, data: EventData<Type>): Promise<void> {
    await this.append(event, type, data);
  }

  private async append(
    { id: sourceId, time, organizationId, workspaceId, data: about }: EventEnvelope,
    type: WebhookEventType,
    data: object,
  ): Promise<void> {
    if (organizationId === null) return;
    const at = new Date(time);
    const known = await this.erasure.withoutErased(organizationId, type, at, data);
    const subjectId = subjectOf(about);
    await this.log.append({ sourceId, type, time: at, organizationId, workspaceId, subjectId, data: known });
    this.dispatcher.wake();
  }
}

/** The message, submission or conversation that an event of the bus is about: the narrowest of them. */
function subjectOf(data: unknown): string | null {
  const { messageId, submissionId, conversationId } = data as Record<string, string | undefined>;
  return messageId ?? submissionId ?? conversationId ?? null;
}
