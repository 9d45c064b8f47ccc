import type { AnswerSeal } from './answer-seal';

/** Which call an Idempotency-Key names. */
export interface IdempotentCall {
  /** The API key, or the user, that calls. */
  callerId: string;
  /** One name for all paths of the same endpoint. */
  endpoint: string;
  key: string;
  fingerprint: string;
  /** Encrypts the stored answer, if it holds a secret. */
  seal?: AnswerSeal;
  /** Statuses of refusals that are not stored, in addition to those that no call stores. */
  transient?: readonly number[];
}

/** A call whose body is not buffered. The work sets the fingerprint when it knows it. */
export interface StreamedCall extends Omit<IdempotentCall, 'fingerprint'> {
  fingerprint: string | null;
  /** The key has an answer already: the work only computes the fingerprint and throws AlreadyClaimedError. */
  isRepeat: boolean;
}
