/** The differences between the calls of a run. */
export interface CallOptions {
  path: string;
  /** The number of API keys, customers or users that are used in turn. */
  population: number;
  /** The ids of the two workspaces of the organization, if the calls need them. */
  workspaceIds?: readonly [string, string];
}

/**
 * Returns the bytes of the nth call. Prepares as much as possible in advance, because the generator shares the
 * processors with the server.
 */
export type Calls = (number: number) => Buffer;
