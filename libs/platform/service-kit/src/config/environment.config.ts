/** The only place where a running service reads its environment variables. */
export function environment(): Record<string, string | undefined> {
  return process.env;
}
