import { AppError } from '@heliograph/errors';
import type { SentMessage } from '../sending/sent-message';
import type { RecipientResult, SendResponse } from './records.dto';
import type { SendRequest } from './send-request';

/** The outcome for one recipient within the request. */
export interface CallResult {
  position: number;
  messageId: string;
  /** Null if the mail was sent or is sent in the background. */
  refusal: string | null;
}

/**
 * Builds the response to a send. `results` is empty for a scheduled send. Throws EMAIL_SEND_FAILED if the backend
 * refused every recipient.
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
  const remaining = to.length - skipped.size;
  if (remaining > 0 && failedCount === remaining) {
    throw new AppError(
      'EMAIL_SEND_FAILED',
      `The mail backend rejected the mail and nothing was charged: ${refusalOf(rows)}`,
    );
  }
  return {
    ok: true,
    id,
    status: remaining === 0 ? 'skipped' : isScheduled ? 'scheduled' : 'sent',
    from: fromAddress,
    recipientCount: to.length,
    sentCount: isScheduled ? 0 : remaining - failedCount,
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
