/** The queue of all events that the analytics count. Its concurrency limits the size of a batch. */
export const COUNTING = { queue: 'account-api.analytics', concurrency: 500 } as const;
