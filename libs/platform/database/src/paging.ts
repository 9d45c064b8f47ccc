/** A request for one page of a list. */
export interface Page {
  limit: number;
  /** Id of the last entry of the previous page; `null` for the first page. */
  after: string | null;
}

export interface PageOf<T> {
  items: T[];
  /** `after` of the next page; `null` on the last page. */
  next: string | null;
}

/** Converts rows that were read with `limit + 1` to a page. */
export function toPage<T>(rows: T[], { limit }: Page, idOf: (row: T) => string): PageOf<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return { items, next: rows.length > limit && last !== undefined ? idOf(last) : null };
}
