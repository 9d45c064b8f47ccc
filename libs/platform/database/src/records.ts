/** The SQL expression of each field of a record. The compiler refuses a record with a forgotten field. */
export type RecordColumns<Fields extends object> = Readonly<Record<keyof Fields & string, string>>;

/** A record as a query returns it, with timestamps as dates. */
export type RecordRow<Fields extends object> = { [Field in keyof Fields]: Fields[Field] | Date };

/** The SELECT list of a record. */
export function selectList(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([field, expression]) => `${expression} AS "${field}"`)
    .join(', ');
}

/** The record of a row that was read with `selectList`. Timestamps become RFC 3339 with milliseconds, in UTC. */
export function recordOf<Fields extends object>(row: RecordRow<Fields>): Fields {
  const values = Object.entries<unknown>(row).map(([field, value]) => [
    field,
    value instanceof Date ? value.toISOString() : value,
  ]);
  return Object.fromEntries(values) as Fields;
}
