import { delay } from './caller';
import type { WebhookEvent } from './generated/events';
import type { EventsCalls } from './generated/group-events';

export interface FollowOptions {
  /** The cursor after which to start, such as that of `onCursor`. Default: the oldest event. */
  after?: string;
  /** Types of events, such as `sms.delivered` or `sms.*`. Default: all. */
  types?: readonly string[];
  /** Id of a workspace. Default: the whole organization, or the workspace of the key. */
  workspace?: string;
  /** The pause after the last stored event. Default: 1 second. */
  pollMs?: number;
  /** Ends the iteration. */
  signal?: AbortSignal;
  /** Called with the cursor after each page. Store it to continue there after a restart. */
  onCursor?: (cursor: string) => void | Promise<void>;
}

/** Yields the events of the feed, and waits for further ones: an alternative to webhooks that needs no public address. */
export async function* followEvents(
  client: { readonly events: EventsCalls },
  { after, types, workspace, pollMs = 1_000, signal, onCursor }: FollowOptions = {},
): AsyncGenerator<WebhookEvent> {
  let cursor = after;
  while (!signal?.aborted) {
    const query = {
      limit: 100,
      ...(cursor === undefined ? {} : { after: cursor }),
      ...(types === undefined ? {} : { types: types.join(',') }),
    };
    const options = {
      ...(workspace === undefined ? {} : { workspace }),
      ...(signal ? { signal } : {}),
    };
    const page = await client.events.list(query, options);
    // The catalog of the documents describes the data of every type.
    yield* page.data as readonly WebhookEvent[];
    cursor = page.nextCursor ?? cursor;
    if (cursor !== undefined) await onCursor?.(cursor);
    if (!page.hasMore) await delay(pollMs, signal);
  }
}
