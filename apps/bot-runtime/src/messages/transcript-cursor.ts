import { AppError } from '@heliograph/errors';

const ID_BYTES = 16;
const MAX_SEQ = 2_147_483_647;

/** An opaque cursor of the conversation and the sequence number of its message. */
export function cursorAfter(conversationId: string, seq: number): string {
  const bytes = Buffer.alloc(ID_BYTES + 4);
  bytes.write(conversationId.replaceAll('-', ''), 'hex');
  bytes.writeUInt32BE(seq, ID_BYTES);
  return bytes.toString('base64url');
}

/** The sequence number of a cursor. Throws INVALID_REQUEST for a cursor of another conversation. */
export function readCursor(conversationId: string, cursor: string): number {
  const bytes = Buffer.from(cursor, 'base64url');
  const seq = bytes.length === ID_BYTES + 4 ? bytes.readUInt32BE(ID_BYTES) : MAX_SEQ + 1;
  if (seq > MAX_SEQ || cursorAfter(conversationId, seq) !== cursor) {
    throw new AppError('INVALID_REQUEST', 'cursor must be the unchanged nextCursor of a page of this transcript.');
  }
  return seq;
}
