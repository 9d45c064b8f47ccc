import { AppError } from '@heliograph/errors';
import { asRefusal, parseQueryString, singleField } from '@heliograph/service-kit';

export interface TranscriptPage {
  limit: number;
  /** Sequence number of the message before the page; 0 for the first page. */
  afterSeq: number;
}

const DEFAULT_LIMIT = 50;
const MAX_LIMIT = 100;
const ID_BYTES = 16;
const MAX_SEQ = 2_147_483_647;

/** Reads `limit` and `cursor`. Throws INVALID_REQUEST for a limit out of range or a cursor of another conversation. */
export function readTranscriptPage(conversationId: string, query: string): TranscriptPage {
  const { limit, cursor } = asRefusal(() => {
    const fields = parseQueryString(query);
    return {
      limit: singleField('limit', fields.get('limit')),
      cursor: singleField('cursor', fields.get('cursor')),
    };
  });
  return { limit: readLimit(limit), afterSeq: cursor === undefined ? 0 : readCursor(conversationId, cursor) };
}

function readLimit(limit: string | undefined): number {
  if (limit === undefined) return DEFAULT_LIMIT;
  const number = /^\d{1,3}$/.test(limit) ? Number(limit) : 0;
  if (number < 1 || number > MAX_LIMIT)
    throw new AppError('INVALID_REQUEST', `limit must be a number from 1 to ${MAX_LIMIT}.`);
  return number;
}

/** An opaque cursor of the conversation and the sequence number of its message. */
export function cursorAfter(conversationId: string, seq: number): string {
  const bytes = Buffer.alloc(ID_BYTES + 4);
  bytes.write(conversationId.replaceAll('-', ''), 'hex');
  bytes.writeUInt32BE(seq, ID_BYTES);
  return bytes.toString('base64url');
}

function readCursor(conversationId: string, cursor: string): number {
  const bytes = Buffer.from(cursor, 'base64url');
  const seq = bytes.length === ID_BYTES + 4 ? bytes.readUInt32BE(ID_BYTES) : MAX_SEQ + 1;
  if (seq > MAX_SEQ || cursorAfter(conversationId, seq) !== cursor) {
    throw new AppError('INVALID_REQUEST', 'cursor must be a nextCursor of this transcript, unchanged.');
  }
  return seq;
}
