import { AppError } from '@heliograph/errors';
import type { SentMessage } from '../sending/sent-message';
import type { RecipientResult, SendResponse } from './records.dto';
import type { SendRequest } from './send-request';

/** What became of a recipient's mail within the call. */
export interface CallResult {
  position: number;
  messageId: string;
  /** Null: it left, or is left to the background. */
  refusal: string | null;
}

/**
 * The answer to a send. `results` of a send that left at once; none for one that is scheduled. Throws
 * EMAIL_SEND_FAILED when the backend refused every recipient.
 */
export function answerTo(
  { id, fromAddress }: Pick<SentMessage, 'id' | 'fromAddress'>,
  { to, scheduledAt }: Pick<SendRequest, 'to' | 'scheduledAt'>,
  skipped: ReadonlySet<number>,
  results: CallResult[],
): SendResponse {
  const byPosition = new Map(results.map((result) => [result.position, result]));
  const rows = to.map((address, position) => resultOf(address, skipped.has(position), byPosition.get(position)));
  const isScheduled = scheduledAt !== null;
  const failedCount = rows.filter(({ ok, skipped: isSkipped }) => !ok && !isSkipped).length;
  const left = to.length - skipped.size;
  if (left > 0 && failedCount === left) {
    throw new AppError(
      'EMAIL_SEND_FAILED',
      `The mail backend refused the mail, and nothing is charged: ${refusalOf(rows)}`,
    );
  }
  return {
    ok: true,
    id,
    status: left === 0 ? 'skipped' : isScheduled ? 'scheduled' : 'sent',
    from: fromAddress,
    recipientCount: to.length,
    sentCount: isScheduled ? 0 : left - failedCount,
    failedCount,
    skippedCount: skipped.size,
    scheduledAt: scheduledAt && scheduledAt.timestamp.slice(0, -1),
    messageId: id,
    results: rows,
  };
}

function resultOf(to: string, skipped: boolean, result: CallResult | undefined): RecipientResult {
  if (skipped) return { to, ok: false, messageId: null, error: null, skipped: true };
  const error = result?.refusal ?? null;
  const messageId = error === null ? (result?.messageId ?? null) : null;
  return { to, ok: error === null, messageId, error, skipped: false };
}

function refusalOf(rows: RecipientResult[]): string {
  return rows.find(({ error }) => error !== null)?.error ?? 'no reason given';
}
