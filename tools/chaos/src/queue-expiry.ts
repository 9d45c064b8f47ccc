/**
 * Longer than a run. Without it, the quorum queues of all earlier runs remain on the broker, and each run takes longer than
 * the one before.
 */
export const QUEUE_EXPIRES_MS = 600_000;
