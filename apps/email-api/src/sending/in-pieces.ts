import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Bytes that encoders, DKIM and dot-stuffing process in one turn of the event loop: about 1 ms. */
const PIECE_BYTES = 65_536;

/** The pieces of a buffer, with other work of the event loop between them. */
export async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer, void> {
  for (let start = 0; start < bytes.length; start += PIECE_BYTES) {
    if (start > 0) await nextTurn();
    yield bytes.subarray(start, start + PIECE_BYTES);
  }
}

/**
 * A buffer as the input of a library that processes each piece of a stream synchronously: a long buffer becomes a stream
 * of pieces, because one piece would block the event loop.
 */
export function inPieces(bytes: Buffer): Buffer | Readable {
  return bytes.length <= PIECE_BYTES ? bytes : Readable.from(piecesOf(bytes), { highWaterMark: 1 });
}
