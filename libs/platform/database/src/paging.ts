/** A part of a list: at most `limit` entries, after the one that a cursor names. */
export interface Page {
  limit: number;
  /** Id of the last entry of the part before; null: from the start. */
  after: string | null;
}

export interface PageOf<T> {
  items: T[];
  /** What `after` of the following part is; null: there is none. */
  next: string | null;
}

/** Cuts what was read with `limit + 1` to a page. */
export function toPage<T>(rows: T[], { limit }: Page, idOf: (row: T) => string): PageOf<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? idOf(last) : null };
}
