import type { Duplex } from 'node:stream';
import { PDU } from 'smpp';

/** `command_length` counts the whole header (SMPP 3.4, 3.2). */
const HEADER_OCTETS = 16;
const LENGTH_OCTETS = 4;

/**
 * Rejects PDUs with an invalid length before the smpp package parses them. Its parser loses synchronization on a length
 * of 0, waits forever on 1 to 15, and accepts a PDU that was truncated by a closed connection. `onMalformed` must
 * destroy the stream; the parser receives no further data.
 */
export function guardFraming(stream: Duplex, onMalformed: (reason: string) => void): void {
  const read = stream.read.bind(stream);
  let refused = false;
  stream.read = (size?: number): unknown => {
    if (refused) return null;
    const chunk: unknown = read(size);
    if (size === undefined || size <= 0 || !Buffer.isBuffer(chunk)) return chunk;
    const reason = framingError(chunk, size);
    if (reason === null) return chunk;
    refused = true;
    onMalformed(reason);
    return null;
  };
}

function framingError(chunk: Buffer, size: number): string | null {
  if (chunk.length !== size) return `the connection closed within a PDU, ${size - chunk.length} octets missing`;
  // The parser reads four octets only for a length field: a body has at least 12, because 16 is the smallest length.
  if (size !== LENGTH_OCTETS) return null;
  const length = chunk.readUInt32BE(0);
  return length < HEADER_OCTETS || length > PDU.maxLength ? `invalid PDU length of ${length} octets` : null;
}
