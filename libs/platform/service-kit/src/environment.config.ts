/** The one place where a running service's environment is taken from. */
export function environment(): Record<string, string | undefined> {
  return process.env;
}
