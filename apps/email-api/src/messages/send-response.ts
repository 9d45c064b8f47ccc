import { AppError } from '@heliograph/errors';
import type { SentMessage } from '../sending/sent-message';
import type { RecipientResult, SendResponse } from './records.dto';

/** The outcome for one recipient within the request. */
export interface CallResult {
  position: number;
  messageId: string;
  /** Null if the mail was sent or is sent in the background. */
  refusal: string | null;
  /** The state of a mail that is retried in the background, as a sentence for the caller; otherwise null. */
  deferral: string | null;
}

/** Describes a mail that is retried in the background. `mayBeSent`: the mail server did not confirm an earlier copy. */
export function deferralOf(reason: string, mayBeSent: boolean): string {
  return mayBeSent
    ? `${reason} It is retried once in the background.`
    : `The mail has not been sent yet and is retried in the background: ${reason}`;
}

/** The data of a response about the recipients of a send. */
export interface SendOutcome {
  to: string[];
  /** Null for an immediate send. */
  scheduledAt: string | null;
  /** Positions of the suppressed recipients. */
  skipped: ReadonlySet<number>;
  /** Empty for a scheduled send. */
  results: CallResult[];
}

export function responseTo(
  { id, fromAddress }: Pick<SentMessage, 'id' | 'fromAddress'>,
  { to, scheduledAt, skipped, results }: SendOutcome,
): SendResponse {
  const byPosition = new Map(results.map((result) => [result.position, result]));
  const rows = to.map((address, position) => resultOf(address, skipped.has(position), byPosition.get(position)));
  const failedCount = rows.filter(({ ok, skipped: isSkipped }) => !ok && !isSkipped).length;
  const remaining = to.length - skipped.size;
  return {
    ok: true,
    id,
    status: remaining === 0 ? 'skipped' : scheduledAt === null ? 'sent' : 'scheduled',
    from: fromAddress,
    recipientCount: to.length,
    sentCount: scheduledAt === null ? remaining - failedCount : 0,
    failedCount,
    skippedCount: skipped.size,
    scheduledAt,
    messageId: id,
    results: rows,
  };
}

/** The error of a send if the mail backend refused every recipient; otherwise null. */
export function failureOf({ recipientCount, failedCount, skippedCount, results }: SendResponse): AppError | null {
  if (failedCount === 0 || failedCount < recipientCount - skippedCount) return null;
  const reason = results.find(({ ok, skipped }) => !ok && !skipped)?.error;
  return new AppError('EMAIL_SEND_FAILED', `The mail backend rejected the mail and nothing was charged: ${reason}`);
}

function resultOf(to: string, skipped: boolean, result: CallResult | undefined): RecipientResult {
  if (skipped) return { to, ok: false, messageId: null, error: null, skipped: true };
  const refusal = result?.refusal ?? null;
  if (refusal !== null) return { to, ok: false, messageId: null, error: refusal, skipped: false };
  return { to, ok: true, messageId: result?.messageId ?? null, error: result?.deferral ?? null, skipped: false };
}
