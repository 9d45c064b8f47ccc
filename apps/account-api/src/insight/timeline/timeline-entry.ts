import { SEND_CHECKS } from '@heliograph/credits';
import type { TimelineType } from './timeline.dto';

export interface TimelineEntry {
  /** Null if the event did not happen. Such entries are omitted. */
  at: Date | null;
  type: TimelineType;
  summary: string;
  details?: Record<string, unknown>;
}

/** The part of a timeline that the tables of a channel contain. */
export interface StoredTimeline {
  status: string;
  entries: TimelineEntry[];
  /** The references of the ledger entries of the message. */
  references: string[];
  /** What the events of webhooks are about; left out: the message. */
  subjects?: string[];
}

/** The origin of an accepted message. */
export interface AcceptedRow {
  created_at: Date;
  correlation_id: string | null;
  key_id: string | null;
  key_name: string | null;
  client_address: string | null;
}

/** A failed attempt in the form that `messaging.add_attempt` stores. */
export interface StoredAttempt {
  at: string;
  upstream?: string | null;
  outcome: string;
  error: string;
  /** SMS: the part of the message that was submitted, and the ids of the parts that the carrier accepted before. */
  part?: number;
  upstream_ids?: string[];
}

/** The columns of `AcceptedRow`. They require the message as `m` and the join `KEY_JOIN`. */
export const ACCEPTED_COLUMNS = 'm.created_at, m.correlation_id, m.key_id, k.name AS key_name, m.client_address';
export const KEY_JOIN = 'LEFT JOIN auth.api_keys AS k ON k.id = m.key_id AND k.organization_id = m.organization_id';

/** Returns the entries of the request and of the passed checks. */
export function acceptedEntries(
  channel: keyof typeof SEND_CHECKS,
  row: AcceptedRow,
  summary: string,
  details: Record<string, unknown>,
): TimelineEntry[] {
  return [
    {
      at: row.created_at,
      type: 'accepted',
      summary,
      details: {
        request_id: row.correlation_id,
        key_id: row.key_id,
        key_name: row.key_name,
        client_address: row.client_address,
        ...details,
      },
    },
    {
      at: row.created_at,
      type: 'checked',
      summary: 'The message passed all checks of a send.',
      details: { checks: SEND_CHECKS[channel] },
    },
  ];
}

/** Returns the entries of the scheduling and of the queuing. */
export function queueEntries(createdAt: Date, scheduledAt: Date | null, isCanceled: boolean): TimelineEntry[] {
  const dueAt = scheduledAt ?? createdAt;
  const scheduled: TimelineEntry = {
    at: scheduledAt && createdAt,
    type: 'scheduled',
    summary: `The message was scheduled for ${dueAt.toISOString()}.`,
  };
  const isQueued = !isCanceled && dueAt.getTime() <= Date.now();
  return [
    scheduled,
    { at: isQueued ? dueAt : null, type: 'queued', summary: 'The message was queued for the workers.' },
  ];
}
