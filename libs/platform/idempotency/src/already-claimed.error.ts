/** Thrown by the work of a request when another process has committed the claim of its Idempotency-Key. */
export class AlreadyClaimedError extends Error {
  constructor() {
    super('Another process has claimed this Idempotency-Key.');
    this.name = 'AlreadyClaimedError';
  }
}
