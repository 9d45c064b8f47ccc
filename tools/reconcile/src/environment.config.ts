/** Where the tool's settings come from. */
export function environment(): Record<string, string | undefined> {
  return process.env;
}
