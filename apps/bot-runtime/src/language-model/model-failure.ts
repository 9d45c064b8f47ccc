/** Reason why a call has no result. `gone`: the client disconnected. `busy`, `open` and `budget`: the call was not made. */
export type FailureReason =
  | 'connection'
  | 'status'
  | 'limited'
  | 'malformed'
  | 'cut'
  | 'too-large'
  | 'first-token'
  | 'time-out'
  | 'filtered'
  | 'gone';

/** A failed call to the language model. The message never contains the question or the answer. */
export class ModelFailure extends Error {
  constructor(
    readonly reason: FailureReason,
    readonly details: {
      status?: number;
      /** The waiting time that the model requests. */
      retryAfterMs?: number;
      /** Parameters that the endpoint rejects. */
      refusedFields?: string[];
      /** A socket error code, such as ECONNREFUSED. */
      code?: string;
    } = {},
  ) {
    super(`the language model returned no answer: ${reason}`);
  }
}
