import type { Timestamp, Uuid } from '@heliograph/contracts';
import { ApiProperty } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { readCursor, rule, V1ListQuery, V1Request, writeCursor } from '@heliograph/service-kit';
import type { FeedPage } from '@heliograph/webhooks';
import { OmitType } from '@nestjs/swagger';
import { TypesField, WorkspaceField } from './webhook-rules';

@V1Request()
export class V1EventsQuery extends OmitType(V1ListQuery, ['cursor']) {
  /** The `next_cursor` of the previous page. By default the list starts with the oldest event. */
  @IsOptional()
  @rule('isAfter', 'after must be the next_cursor of the previous page.', (value) => readFeedCursor(value) !== null)
  after?: string;
  @TypesField()
  types?: string;
  @WorkspaceField('Returns events of this workspace')
  workspace_id?: string;
}

class V1Event {
  /** @example evt_019aa0c2-5b60-7a10-8a10-3f5a1c2d4e6f */
  id: string;
  /** @example sms.delivered */
  type: string;
  timestamp: Timestamp;
  organization_id: Uuid;
  workspace_id: Uuid | null;
  /** Content of the event. `GET /api/v1/webhooks/events` returns the JSON Schema of each event type. */
  @ApiProperty({ type: 'object', additionalProperties: true })
  data: object;
  /**
   * Present if texts or lists of `data` were cut so that the event has at most 64 kB. Cut texts end in "…", cut lists hold their first
   * items. Get the record by its id to read it completely.
   */
  truncated?: true;
}

export class V1Events {
  /** Events in a fixed order, oldest first. */
  data: V1Event[];
  /** Cursor to send as `after` to get the following events. */
  next_cursor: string;
  /**
   * True if more events are stored. A page can hold fewer events than `limit`, because its events have at most 1 MB in total, and because a
   * filter examines at most 5,000 events. With a filter, it can be empty although more events are stored.
   */
  has_more: boolean;

  /** The JSON text of a page. It contains the texts of the events as they are stored, which are not parsed. */
  static textOf({ events, next, hasMore }: FeedPage): string {
    const cursor = JSON.stringify(writeCursor(`s${next ?? 0n}`));
    return `{"data":${events},"next_cursor":${cursor},"has_more":${hasMore}}`;
  }
}

/** Reads the sequence number in a cursor; null for an invalid cursor. */
export function readFeedCursor(cursor: unknown): bigint | null {
  const sequence = /^s(\d{1,18})$/.exec(readCursor(cursor) ?? '')?.[1];
  return sequence === undefined ? null : BigInt(sequence);
}
