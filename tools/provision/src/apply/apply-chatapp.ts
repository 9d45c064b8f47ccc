import type { EntityManager } from 'typeorm';
import type { Writers } from './writers';
import { showPath, type FilePath } from '../file-positions';
import type { ProvisionedChatapp, ProvisionedPrice } from '../schema/chatapp';

/** Returns a note for each consent that the file cannot change. */
export async function applyChatapp(
  organizationId: string,
  { consents }: ProvisionedChatapp,
  path: FilePath,
  { consents: recorded, at }: Writers,
  transaction: EntityManager,
): Promise<string[]> {
  const notes: string[] = [];
  for (const [index, consent] of consents.entries()) {
    const place = [...path, 'consents', index];
    const { status } = await at(place, () => recorded.declare(transaction, organizationId, consent));
    if (status === consent.status) continue;
    notes.push(`note: ${showPath(place)}: ${consent.number} has opted out by a keyword; the opt-out remains`);
  }
  return notes;
}

export async function applyPrices(
  prices: readonly ProvisionedPrice[],
  path: FilePath,
  { chatappCatalog, at }: Writers,
  transaction: EntityManager,
): Promise<void> {
  for (const [index, price] of prices.entries()) {
    await at([...path, index], () => chatappCatalog.putPrice(transaction, price));
  }
}
