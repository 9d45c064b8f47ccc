import { ApiProperty } from '@nestjs/swagger';
import { AppError } from '@heliograph/errors';

const RESULTS = ['passed', 'failed', 'not_run'] as const;
const VERDICTS = ['ok', 'refused'] as const;

/** The checks of a send, in the order of the contract. A send and its quote run the same ones. */
export const SEND_CHECKS = {
  sms: [
    ...['permission', 'sender', 'template', 'dlt', 'recipient', 'content', 'schedule', 'workspace', 'consent'],
    ...['limits', 'credits'],
  ],
  email: ['permission', 'template', 'content', 'schedule', 'sender', 'workspace', 'limits', 'credits'],
  bots: ['permission', 'conversation', 'workspace', 'content', 'state'],
  chatapp: [...['permission', 'recipient', 'template', 'media', 'erased', 'workspace', 'consent', 'window', 'credits']],
} as const satisfies Record<string, readonly string[]>;

export class V1QuoteCheck {
  @ApiProperty({ example: 'credits' })
  name: string;
  @ApiProperty({
    enum: RESULTS,
    description: '`not_run`: the check needs the result of an earlier check that failed',
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
  @ApiProperty({ type: 'integer', nullable: true })
  credits_available: number | null;
  @ApiProperty({ enum: VERDICTS })
  verdict: (typeof VERDICTS)[number];
  @ApiProperty({ type: [V1QuoteCheck] })
  checks: V1QuoteCheck[];
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: '`null` if the send is rejected' })
  earliest_send_at: string | null;
}

/** The result so far; each check adds fields. */
export type QuotedSend = Partial<Omit<V1Quote, 'verdict' | 'checks'>>;

/** Runs the checks of a send by name. A send and its quote run the same checks. */
export interface SendChecksRun {
  run<T>(name: string, check: () => Promise<T> | T): Promise<T>;
}

/** The checks of a real send, whose errors are thrown to the caller. */
export const REAL_SEND: SendChecksRun = { run: async (_name, check) => check() };

/** Records which checks of a send have passed, and in which check an error was thrown. */
export class QuotedChecks implements SendChecksRun {
  private readonly results = new Map<string, Pick<V1QuoteCheck, 'result' | 'message'>>();
  private current: string | null = null;

  async run<T>(name: string, check: () => Promise<T> | T): Promise<T> {
    this.current = name;
    const value = await check();
    this.pass(name);
    return value;
  }

  private pass(name: string): void {
    this.results.set(name, { result: 'passed', message: null });
    this.current = null;
  }

  /** Records a failed check; the remaining checks still run. */
  note(name: string, check: () => void): void {
    this.current = name;
    try {
      check();
      this.pass(name);
    } catch (error) {
      this.fail(error);
    }
  }

  /** Runs a check that has no result yet, and records its result. Other errors are thrown. Null if it failed or has a result. */
  async attempt<T>(name: string, check: () => Promise<T> | T): Promise<T | null> {
    if (this.results.has(name)) return null;
    try {
      return await this.run(name, check);
    } catch (error) {
      this.fail(error);
      return null;
    }
  }

  /** Records the error of the current check. Rethrows other errors, and errors outside of a check. */
  fail(error: unknown): void {
    if (this.current === null || !(error instanceof AppError) || error.status >= 500) throw error;
    this.results.set(this.current, { result: 'failed', message: `${error.code}: ${error.message}` });
    this.current = null;
  }

  /** `isComplete`: the send was accepted, so that checks without a result were not needed and count as passed. */
  listed(names: readonly string[], isComplete: boolean): V1QuoteCheck[] {
    const other = { result: isComplete ? ('passed' as const) : ('not_run' as const), message: null };
    return names.map((name) => ({ name, ...(this.results.get(name) ?? other) }));
  }
}

/**
 * Runs the checks of a send without its commit. A refusal within a check becomes the verdict; any other error, such as a
 * mistake in the request itself, is thrown. `names`: the checks in the order of the answer. `independent`: the checks that do not
 * need the results of others, which also run if one before them has failed.
 */
export async function quoteOf(
  names: readonly string[],
  run: (quoted: QuotedSend, checks: QuotedChecks) => Promise<void>,
  independent?: (quoted: QuotedSend, checks: QuotedChecks) => Promise<void>,
): Promise<V1Quote> {
  const quoted: QuotedSend = {};
  const quotedChecks = new QuotedChecks();
  let isComplete = true;
  try {
    await run(quoted, quotedChecks);
  } catch (error) {
    quotedChecks.fail(error);
    isComplete = false;
    await independent?.(quoted, quotedChecks);
  }
  const checks = quotedChecks.listed(names, isComplete);
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
