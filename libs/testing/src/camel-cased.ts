/** Returns a database row with column names in camel case. */
export function camelCased<T extends object>(row: object): T {
  const fields = Object.entries(row).map(([name, value]: [string, unknown]) => [
    name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    value,
  ]);
  return Object.fromEntries(fields) as T;
}
