import { ApiProperty } from '@nestjs/swagger';
import { AppError, type ErrorCode } from '@heliograph/errors';

const RESULTS = ['passed', 'failed', 'not_run'] as const;
const VERDICTS = ['ok', 'refused'] as const;

export class V1QuoteCheck {
  @ApiProperty({ example: 'credits' })
  name: string;
  @ApiProperty({ enum: RESULTS, description: 'Checks after a failed one are not run' })
  result: (typeof RESULTS)[number];
  @ApiProperty({ type: String, nullable: true, description: 'Why it failed, and the code of the error of the send' })
  message: string | null;
}

/** What a send would cost, and whether it would be accepted. */
export class V1Quote {
  @ApiProperty({ type: 'integer', nullable: true, description: 'Of an SMS' })
  segments: number | null;
  @ApiProperty({ type: String, nullable: true, description: 'Of an SMS' })
  encoding: string | null;
  @ApiProperty({ type: 'integer', nullable: true })
  credits_cost: number | null;
  @ApiProperty({ type: String, nullable: true, description: 'Of the balance of the chat-app channel' })
  currency: string | null;
  @ApiProperty({ type: 'integer', nullable: true })
  credits_available: number | null;
  @ApiProperty({ enum: VERDICTS })
  verdict: (typeof VERDICTS)[number];
  @ApiProperty({ type: [V1QuoteCheck] })
  checks: V1QuoteCheck[];
  @ApiProperty({ type: String, format: 'date-time', nullable: true, description: 'Null if the send is refused' })
  earliest_send_at: string | null;
}

/** What is known so far; the checks fill it in. */
export type QuotedSend = Partial<Omit<V1Quote, 'verdict' | 'checks'>>;

/** A check of a send, and the error codes of its failures. */
export interface QuotedCheck {
  name: string;
  codes: readonly ErrorCode[];
}

/**
 * Runs the checks of a send without its commit. An error with the code of a check becomes the verdict; any other error,
 * such as a mistake in the request itself, is thrown.
 */
export async function quoteOf(
  checks: readonly QuotedCheck[],
  run: (quoted: QuotedSend) => Promise<void>,
): Promise<V1Quote> {
  const quoted: QuotedSend = {};
  let failed = checks.length;
  let message = '';
  try {
    await run(quoted);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    failed = checks.findIndex(({ codes }) => codes.includes(error.code));
    if (failed < 0) throw error;
    message = `${error.code}: ${error.message}`;
  }
  const isOk = failed === checks.length;
  return {
    segments: quoted.segments ?? null,
    encoding: quoted.encoding ?? null,
    credits_cost: quoted.credits_cost ?? null,
    currency: quoted.currency ?? null,
    credits_available: quoted.credits_available ?? null,
    verdict: isOk ? 'ok' : 'refused',
    checks: checks.map(({ name }, index) => ({
      name,
      result: index < failed ? 'passed' : index === failed ? 'failed' : 'not_run',
      message: index === failed ? message : null,
    })),
    earliest_send_at: isOk ? (quoted.earliest_send_at ?? new Date().toISOString()) : null,
  };
}
