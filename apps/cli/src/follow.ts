import type { Heliograph } from '@heliograph/sdk';

/** A type with few events: a page with it examines up to 5,000 events and returns hardly any. */
const RARE = 'webhook.disabled';

/** The cursor of the last stored event, so that only later ones are read. Undefined if there are none. */
export async function endOfFeed(client: Heliograph, signal: AbortSignal): Promise<string | undefined> {
  let after: string | undefined;
  for (;;) {
    const page = await client.events.list(
      { limit: 100, types: RARE, ...(after === undefined ? {} : { after }) },
      { signal },
    );
    after = page.nextCursor ?? after;
    if (!page.hasMore) return after;
  }
}

/** Whether an error only says that the user ended the command. */
export const isAbort = (error: unknown, signal: AbortSignal): boolean => signal.aborted && error === signal.reason;
