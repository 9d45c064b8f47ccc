/** Sorts the rows that a SQL function has returned by `ord`, the place of their inputs. */
export function inOrder<R extends { ord: number }>(count: number, rows: readonly R[]): R[] {
  const ordered = new Array<R>(count);
  for (const row of rows) ordered[row.ord] = row;
  return ordered;
}
