import type { Page } from '@heliograph/database';

export const DEFAULT_PAGE_SIZE = 20;
export const MAX_PAGE_SIZE = 100;
const MAX_CURSOR_LENGTH = 400;

/** The parameters of a list, as they are sent in the query string. */
export interface PageParameters {
  limit?: string;
  cursor?: string;
}

/** Whether a `limit` is a whole number from 1 to 100. */
export function isPageSize(limit: unknown): boolean {
  return typeof limit === 'string' && /^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= MAX_PAGE_SIZE;
}

export function pageSizeOf(limit: string | undefined, byDefault = DEFAULT_PAGE_SIZE): number {
  return limit === undefined ? byDefault : Number(limit);
}

export function pageOf({ limit, cursor }: PageParameters): Page {
  return { limit: pageSizeOf(limit), after: readCursor(cursor) };
}

/** Creates a cursor, which is opaque to clients, from the id of the last item of a page. */
export function writeCursor(id: string): string {
  return Buffer.from(id).toString('base64url');
}

/** The id in a cursor; null for anything that `writeCursor` does not return. */
export function readCursor(cursor: unknown): string | null {
  if (typeof cursor !== 'string' || cursor === '' || cursor.length > MAX_CURSOR_LENGTH) return null;
  const id = Buffer.from(cursor, 'base64url').toString();
  return writeCursor(id) === cursor && !id.includes('\0') ? id : null;
}
