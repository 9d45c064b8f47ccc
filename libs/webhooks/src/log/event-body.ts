import { createHash } from 'node:crypto';
import type { WebhookEventType } from '../catalog/event-types';
import { fitData, MAX_EVENT_BYTES } from './fit-data';

/** More than the envelope of an event. */
const ENVELOPE_BYTES = 500;

export interface NewWebhookEvent {
  /** Id of the event on the bus. An event with a known id is not stored again. */
  sourceId: string;
  type: WebhookEventType;
  time: Date;
  organizationId: string;
  workspaceId: string | null;
  /** Id of the message, submission or conversation that the event is about; null for other events. */
  subjectId: string | null;
  data: object;
}

/** An event as it is stored. */
export interface StoredEvent {
  id: string;
  organizationId: string;
  workspaceId: string | null;
  subjectId: string | null;
  type: string;
  /** The JSON text that every delivery sends. */
  body: string;
}

/**
 * The id of an event: a UUID version 7 of its time that is derived from the event on the bus, so that an event that
 * arrives twice gets the same id.
 */
export function eventIdOf(sourceId: string, time: Date): string {
  const digest = createHash('sha256').update(sourceId).digest('hex');
  const hex = time.getTime().toString(16).padStart(12, '0');
  const parts = [hex.slice(0, 8), hex.slice(8, 12), `7${digest.slice(0, 3)}`, `a${digest.slice(3, 6)}`];
  return [...parts, digest.slice(6, 18)].join('-');
}

/** The id in the payload. */
export function publicEventId(id: string): string {
  return `evt_${id}`;
}

/** The JSON text of an event, of at most `MAX_EVENT_BYTES` bytes. Longer data are cut, and `truncated` is true. */
export function composeBody(event: Omit<NewWebhookEvent, 'sourceId' | 'subjectId'> & { id: string }): string {
  const cut = fitData(event.data, MAX_EVENT_BYTES - ENVELOPE_BYTES);
  return JSON.stringify({
    id: publicEventId(event.id),
    type: event.type,
    timestamp: event.time.toISOString(),
    organization_id: event.organizationId,
    workspace_id: event.workspaceId,
    data: cut ?? event.data,
    ...(cut === null ? {} : { truncated: true }),
  });
}

export function storedEventOf(event: NewWebhookEvent): StoredEvent {
  const { organizationId, workspaceId, subjectId, type } = event;
  const id = eventIdOf(event.sourceId, event.time);
  return { id, organizationId, workspaceId, subjectId, type, body: composeBody({ ...event, id }) };
}
