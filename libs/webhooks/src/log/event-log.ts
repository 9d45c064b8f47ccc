import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { LanedGroupCommit } from '@heliograph/database';
import { Pool, type ClientBase } from 'pg';
import { Clock } from '../clock';
import { storedEventOf, type NewWebhookEvent, type StoredEvent } from './event-body';

/** Number of concurrent group commits, each for a part of the organizations. */
const LANES = 4;
/** Maximum number of events that one page examines, so that a filter with few matches has a bounded cost. */
const MAX_EXAMINED = 5_000;
/** Maximum size of the events of one page. A page has at least one event, so events of earlier releases may be larger. */
const MAX_PAGE_BYTES = 1_000_000;

export interface FeedQuery {
  /** Sequence of the last event of the previous page; null: from the oldest stored event. */
  after: bigint | null;
  /** Event types, groups such as `sms.*`, or `*`. */
  types: readonly string[];
  workspaceId: string | null;
  limit: number;
}

export interface FeedPage {
  /** The events as the JSON text of a list, oldest first. */
  events: string;
  /** Sequence up to which events were examined; null if there are no events. */
  next: bigint | null;
  /** Whether there are more events after this page. */
  hasMore: boolean;
}

/** The append-only log of the events of each organization. */
@Injectable()
export class EventLog implements OnApplicationShutdown {
  private readonly commits: LanedGroupCommit<StoredEvent, undefined>;

  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {
    this.commits = new LanedGroupCommit<StoredEvent, undefined>({
      lanes: LANES,
      laneOf: ({ organizationId }) => organizationId,
      ownerOf: ({ organizationId }) => organizationId,
      flush: async (events) => {
        await appendEvents(this.pool, events, this.clock.now());
        return events.map(() => undefined);
      },
    });
  }

  /** Stores an event with its deliveries. Resolves after the commit; an event that is stored already changes nothing. */
  async append(event: NewWebhookEvent): Promise<void> {
    await this.commits.submit(storedEventOf(event));
  }

  async read(organizationId: string, { after, types, workspaceId, limit }: FeedQuery): Promise<FeedPage> {
    // One text, because the driver reads an array of texts character by character.
    const { rows } = await this.pool.query<{ next: string | null; hasMore: boolean; events: string }>(
      `SELECT next, has_more AS "hasMore", '[' || array_to_string(bodies, ',') || ']' AS events
       FROM webhooks.read_feed($1, $2, $3, $4, $5, $6, $7)`,
      [organizationId, after === null ? null : String(after), types, workspaceId, limit, MAX_EXAMINED, MAX_PAGE_BYTES],
    );
    const [page] = rows;
    if (!page) throw new Error('webhooks.read_feed returned no page');
    return { ...page, next: page.next === null ? null : BigInt(page.next) };
  }

  async onApplicationShutdown(): Promise<void> {
    await this.commits.drain();
  }
}

/** Stores events with their deliveries, in the transaction of the caller if there is one. */
export async function appendEvents(database: Pool | ClientBase, events: StoredEvent[], at: Date): Promise<void> {
  await database.query('SELECT webhooks.append($1, $2)', [JSON.stringify(events), at]);
}
