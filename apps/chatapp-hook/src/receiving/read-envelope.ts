import type { InboundRow, StatusRow } from '@heliograph/chatapp-messages';
import { fieldsOf, type Fields } from './fields';
import { readMessage } from './read-message';
import { readStatus } from './read-status';
import { storable } from './storable';

export interface Updates {
  statuses: StatusRow[];
  inbound: InboundRow[];
  /** Of each kind, what means nothing here, and what cannot be understood. */
  left: Record<'message' | 'status' | 'change', { ignored: number; malformed: number }>;
}

/**
 * Reads what a call of the platform brings, each part by itself: what cannot be understood is left out, and fails nothing
 * else. JSON that is none of the platform's envelopes brings nothing. `product` is what the platform calls itself.
 */
export function readEnvelope(body: unknown, product: string, now: Date): Updates {
  const updates: Updates = {
    statuses: [],
    inbound: [],
    left: { message: none(), status: none(), change: none() },
  };
  const { object, entry } = fieldsOf(body);
  if (object !== `${product}_business_account` && object !== 'chatapp_business_account') {
    updates.left.change.ignored++;
    return updates;
  }
  for (const { changes } of objectsIn(entry, updates)) {
    for (const { field, value } of objectsIn(changes, updates)) {
      if (field === 'messages') readValue(fieldsOf(value), updates, now);
      else updates.left.change.ignored++;
    }
  }
  return updates;
}

function readValue(value: Fields, { inbound, statuses, left }: Updates, now: Date): void {
  const metadata = storable(value['metadata']) ?? {};
  for (const item of listOf(value['messages'])) {
    const message = storable(item);
    const row = message && readMessage(message, metadata, now);
    if (row) inbound.push(row);
    else left.message.malformed++;
  }
  for (const item of listOf(value['statuses'])) {
    const entry = storable(item);
    const row = entry ? readStatus(entry, now) : 'malformed';
    if (typeof row === 'object') statuses.push(row);
    else left.status[row]++;
  }
}

function objectsIn(value: unknown, { left }: Updates): Fields[] {
  const items = listOf(value);
  const objects = items.filter((item) => typeof item === 'object' && item !== null) as Fields[];
  left.change.malformed += items.length - objects.length;
  return objects;
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function none(): { ignored: number; malformed: number } {
  return { ignored: 0, malformed: 0 };
}
