import {
  ApiError,
  AuthenticationError,
  ConnectionError,
  PermissionError,
  RateLimitError,
  ServerError,
} from '@heliograph/sdk';

/** The exit codes, which docs/guides/cli.md lists. */
export const EXIT = {
  ok: 0,
  /** Any other failure. */
  failure: 1,
  /** Wrong arguments. */
  usage: 2,
  /** There is no key, or it is invalid or may not do this. */
  credentials: 3,
  /** The API refused the request. */
  refused: 4,
  /** The API was not reached, is overloaded, or failed. Try again later. */
  unavailable: 5,
  /** `doctor` found a problem, or a quote is refused. */
  problem: 6,
} as const;

/** A failure whose message is shown without a stack. */
export class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode: number = EXIT.failure,
  ) {
    super(message);
  }
}

export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) return error.exitCode;
  if (error instanceof AuthenticationError || error instanceof PermissionError) return EXIT.credentials;
  if (error instanceof RateLimitError || error instanceof ServerError || error instanceof ConnectionError) {
    return EXIT.unavailable;
  }
  return error instanceof ApiError ? EXIT.refused : EXIT.failure;
}
