/** The queue of everything that the analytics count. Its concurrency bounds the size of a batch. */
export const COUNTING = { queue: 'account-api.analytics', concurrency: 500 } as const;
