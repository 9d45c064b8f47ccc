import type { AnswerSeal } from './answer-seal';

/** The call that an Idempotency-Key identifies. */
export interface IdempotentCall {
  /** Id of the API key or the user that calls. */
  callerId: string;
  /** The same name for all paths of the endpoint. */
  endpoint: string;
  key: string;
  fingerprint: string;
  /** Encrypts the stored answer if it contains a secret. */
  seal?: AnswerSeal;
}

/** A call whose body is not buffered. The work sets the fingerprint after it has read the body. */
export interface StreamedCall extends Omit<IdempotentCall, 'fingerprint'> {
  fingerprint: string | null;
  /** The key has an answer already: the work only computes the fingerprint and throws AlreadyClaimedError. */
  isRepeat: boolean;
}
