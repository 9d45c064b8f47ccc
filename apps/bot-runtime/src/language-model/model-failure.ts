/** Why nothing came of a call; `gone` is whoever asked, `busy`, `open` and `budget` are calls that were never made. */
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

/** A call to the language model that came to nothing. Its message never holds what was asked or answered. */
export class ModelFailure extends Error {
  constructor(
    readonly reason: FailureReason,
    readonly details: {
      status?: number;
      /** How long the model wants to be left alone. */
      retryAfterMs?: number;
      /** Fields of the request that it does not take. */
      refusedFields?: string[];
      /** A code of the socket, such as ECONNREFUSED. */
      code?: string;
    } = {},
  ) {
    super(`the language model gave no answer: ${reason}`);
  }
}
