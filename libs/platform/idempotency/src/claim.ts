import type { ResponseSeal } from './response-seal';

/** The claim of an Idempotency-Key by a call. The service that does the work commits it together with the effect. */
export interface Claim {
  /** Id of the API key or the user that calls. */
  callerId: string;
  /** The same name for all paths of the endpoint. */
  endpoint: string;
  key: string;
  fingerprint: string;
  /** Encrypts the stored response if it contains a secret. */
  seal: ResponseSeal | null;
  /** Whether `IdempotencyService.run` has begun the work of the call. */
  isBegun: boolean;
  /** Called when the call gets the response of an earlier call. */
  onReplay(): void;
}

/** The claim of a call whose body is not buffered. The work sets the fingerprint after it has read the body. */
export interface StreamedClaim extends Omit<Claim, 'fingerprint'> {
  fingerprint: string | null;
  /** The key has a response already: the work only computes the fingerprint and throws AlreadyClaimedError. */
  isRepeat: boolean;
}

/** What identifies the stored response of a call. */
export type ClaimName = Pick<Claim, 'callerId' | 'endpoint' | 'key'>;
