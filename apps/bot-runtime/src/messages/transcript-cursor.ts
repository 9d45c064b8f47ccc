import { AppError } from '@heliograph/errors';
import { readCursor, writeCursor } from '@heliograph/service-kit';

/** An opaque cursor of the conversation and the sequence number of its message. */
export function transcriptCursor(conversationId: string, seq: number): string {
  return writeCursor(`${conversationId} ${seq}`);
}

/** The sequence number of a cursor. Throws INVALID_REQUEST for a cursor of another conversation. */
export function readTranscriptCursor(conversationId: string, cursor: string): number {
  const [id, seq = ''] = readCursor(cursor)?.split(' ') ?? [];
  if (id !== conversationId || !/^\d{1,9}$/.test(seq)) {
    throw new AppError('INVALID_REQUEST', 'cursor must be the unchanged nextCursor of a page of this transcript.');
  }
  return Number(seq);
}
