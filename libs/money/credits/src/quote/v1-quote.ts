import { ApiProperty } from '@nestjs/swagger';
import { AppError } from '@heliograph/errors';

const RESULTS = ['passed', 'failed', 'not_run'] as const;
const VERDICTS = ['ok', 'refused'] as const;

/** The checks of a send. A send and its quote run the same ones. */
export const SEND_CHECKS = {
  sms: [
    'permission',
    'sender',
    'template',
    'dlt',
    'recipient',
    'content',
    'schedule',
    'workspace',
    'consent',
    'limits',
    'credits',
  ],
  email: ['permission', 'template', 'content', 'schedule', 'sender', 'workspace', 'limits', 'credits'],
  bots: ['permission', 'conversation', 'workspace', 'content', 'state'],
  chatapp: ['permission', 'recipient', 'template', 'media', 'erased', 'workspace', 'consent', 'window', 'credits'],
} as const satisfies Record<string, readonly string[]>;

export class V1QuoteCheck {
  @ApiProperty({ example: 'credits' })
  name: string;
  @ApiProperty({
    enum: RESULTS,
    description: '`not_run`: the check needs the result of another check, which failed',
  })
  result: (typeof RESULTS)[number];
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'Error code and message of a failed check',
  })
  message: string | null;
}

/** The price of a send, and whether it would be accepted. */
export class V1Quote {
  @ApiProperty({ type: 'integer', nullable: true, description: 'SMS only' })
  segments: number | null;
  @ApiProperty({ type: String, nullable: true, description: 'SMS only' })
  encoding: string | null;
  @ApiProperty({ type: 'integer', nullable: true })
  credits_cost: number | null;
  @ApiProperty({ type: String, nullable: true, description: 'Currency of the chat-app balance' })
  currency: string | null;
  @ApiProperty({
    type: 'integer',
    nullable: true,
    description: 'Balance of the workspace that would send. `null` if there is no such workspace, and for bots',
  })
  credits_available: number | null;
  @ApiProperty({ enum: VERDICTS })
  verdict: (typeof VERDICTS)[number];
  @ApiProperty({
    type: [V1QuoteCheck],
    description:
      'Checks in the order in which they ran, then those that did not run. The first failed check contains the error of the send.',
  })
  checks: V1QuoteCheck[];
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: '`null` if the send is rejected' })
  earliest_send_at: string | null;
}

/** The result so far; each check adds fields. */
export type QuotedSend = Partial<Omit<V1Quote, 'verdict' | 'checks'>>;

/** Marks where a send is in its checks. A send and its quote run the same checks. */
export interface SendProgress {
  /** The code that follows is this check: an error is its result. The entered check before it has passed. */
  enter(check: string): void;
  /** The entered check has passed. An error of the code that follows is a mistake in the request, and the result of no check. */
  leave(): void;
}

/** The progress of a real send, whose errors are thrown to the caller. */
export const REAL_SEND: SendProgress = {
  enter: () => undefined,
  leave: () => undefined,
};

/** The progress of a quote: which checks have passed, and which ones refuse the send. */
export class QuoteProgress implements SendProgress {
  private readonly results = new Map<string, Pick<V1QuoteCheck, 'result' | 'message'>>();
  private entered: string | null = null;

  enter(check: string): void {
    this.leave();
    this.entered = check;
  }

  leave(): void {
    if (this.entered !== null) this.pass(this.entered);
    this.entered = null;
  }

  private pass(name: string): void {
    this.results.set(name, { result: 'passed', message: null });
  }

  /** Records a failed check; the remaining checks still run. */
  note(name: string, check: () => void): void {
    this.enter(name);
    try {
      check();
      this.leave();
    } catch (error) {
      this.fail(error);
    }
  }

  /**
   * Runs a check behind a failed one, and records its result. Returns null if the check fails or has failed before, or if a dependency
   * is unavailable. A check that has passed runs again, because its value is needed.
   */
  async attempt<T>(name: string, check: () => Promise<T> | T): Promise<T | null> {
    if (this.results.get(name)?.result === 'failed') return null;
    try {
      const value = await check();
      this.pass(name);
      return value;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (error.status < 500) this.refuse(name, error);
      return null;
    }
  }

  /** Like `attempt`, for the part of a check that can run without a failed check. Success is not recorded. */
  async attemptPart<T>(name: string, check: () => Promise<T> | T): Promise<T | null> {
    const before = this.results.get(name);
    const value = await this.attempt(name, check);
    if (!before && this.results.get(name)?.result === 'passed') this.results.delete(name);
    return value;
  }

  /** Records the error of the entered check. Rethrows other errors, and errors outside of a check. */
  fail(error: unknown): void {
    if (this.entered === null || !(error instanceof AppError) || error.status >= 500) throw error;
    this.refuse(this.entered, error);
    this.entered = null;
  }

  private refuse(name: string, { code, message }: AppError): void {
    this.results.set(name, { result: 'failed', message: `${code}: ${message}` });
  }

  /**
   * Returns the checks with a result in the order in which they ran, so that the first failed check is the error of the send, then the
   * others. `isComplete`: the send was accepted, so that checks without a result were not needed and count as passed.
   */
  listed(names: readonly string[], isComplete: boolean): V1QuoteCheck[] {
    const other = { result: isComplete ? ('passed' as const) : ('not_run' as const), message: null };
    return [...new Set([...this.results.keys(), ...names])].map((name) => ({
      name,
      ...(this.results.get(name) ?? other),
    }));
  }
}

/**
 * Runs the checks of a send without its commit. A refusal within a check becomes the verdict; any other error, such as a
 * mistake in the request itself, is thrown. `names`: all checks of the send. `attemptRest`: runs the checks behind a failed one, as far
 * as they can be made without it.
 */
export async function quoteOf(
  names: readonly string[],
  run: (quoted: QuotedSend, progress: QuoteProgress) => Promise<void>,
  attemptRest: (quoted: QuotedSend, progress: QuoteProgress) => Promise<void>,
): Promise<V1Quote> {
  const quoted: QuotedSend = {};
  const progress = new QuoteProgress();
  let isComplete = true;
  try {
    await run(quoted, progress);
    progress.leave();
  } catch (error) {
    progress.fail(error);
    isComplete = false;
    await attemptRest(quoted, progress);
  }
  const checks = progress.listed(names, isComplete);
  const isOk = checks.every(({ result }) => result === 'passed');
  return {
    segments: quoted.segments ?? null,
    encoding: quoted.encoding ?? null,
    credits_cost: quoted.credits_cost ?? null,
    currency: quoted.currency ?? null,
    credits_available: quoted.credits_available ?? null,
    verdict: isOk ? 'ok' : 'refused',
    checks,
    earliest_send_at: isOk ? (quoted.earliest_send_at ?? new Date().toISOString()) : null,
  };
}
