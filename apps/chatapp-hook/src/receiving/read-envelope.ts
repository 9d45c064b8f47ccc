import type { InboundRow, StatusRow } from '@heliograph/chatapp-messages';
import { fieldsOf, type Fields } from './fields';
import { readMessage } from './read-message';
import { readStatus } from './read-status';
import { storable } from './storable';

export interface Updates {
  statuses: StatusRow[];
  inbound: InboundRow[];
  /** Counts of ignored and malformed updates, by kind. */
  skipped: Record<'message' | 'status' | 'change', { ignored: number; malformed: number }>;
}

/**
 * Reads the updates in a webhook body, each part separately: an invalid part is skipped and does not affect the others.
 * Other JSON contains no updates. `product` is the provider's name for its product.
 */
export function readEnvelope(body: unknown, product: string, now: Date): Updates {
  const updates: Updates = {
    statuses: [],
    inbound: [],
    skipped: { message: none(), status: none(), change: none() },
  };
  const { object, entry } = fieldsOf(body);
  if (object !== `${product}_business_account` && object !== 'chatapp_business_account') {
    updates.skipped.change.ignored++;
    return updates;
  }
  for (const { changes } of objectsIn(entry, updates)) {
    for (const { field, value } of objectsIn(changes, updates)) {
      if (field === 'messages') readValue(fieldsOf(value), updates, now);
      else updates.skipped.change.ignored++;
    }
  }
  return updates;
}

function readValue(value: Fields, { inbound, statuses, skipped }: Updates, now: Date): void {
  const metadata = storable(value['metadata']) ?? {};
  for (const item of listOf(value['messages'])) {
    const message = storable(item);
    const row = message && readMessage(message, metadata, now);
    if (row) inbound.push(row);
    else skipped.message.malformed++;
  }
  for (const item of listOf(value['statuses'])) {
    const entry = storable(item);
    const row = entry ? readStatus(entry, now) : 'malformed';
    if (typeof row === 'object') statuses.push(row);
    else skipped.status[row]++;
  }
}

function objectsIn(value: unknown, { skipped }: Updates): Fields[] {
  const items = listOf(value);
  const objects = items.filter((item) => typeof item === 'object' && item !== null) as Fields[];
  skipped.change.malformed += items.length - objects.length;
  return objects;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function none(): { ignored: number; malformed: number } {
  return { ignored: 0, malformed: 0 };
}
