import type { Duplex } from 'node:stream';
import { PDU } from 'smpp';

/** `command_length` counts the whole header (SMPP 3.4, 3.2). */
const HEADER_OCTETS = 16;
const LENGTH_OCTETS = 4;

/**
 * Refuses PDUs whose length cannot be true, before the smpp package parses them. Its parser loses step on a length
 * of 0, waits for ever on 1 to 15, and reads a PDU that the peer's close cut short as if it were whole. `onMalformed`
 * has to destroy the stream; the parser gets nothing more.
 */
export function guardFraming(stream: Duplex, onMalformed: (reason: string) => void): void {
  const read = stream.read.bind(stream);
  let refused = false;
  stream.read = (size?: number): unknown => {
    if (refused) return null;
    const chunk: unknown = read(size);
    if (size === undefined || size <= 0 || !Buffer.isBuffer(chunk)) return chunk;
    const reason = faultOf(chunk, size);
    if (reason === null) return chunk;
    refused = true;
    onMalformed(reason);
    return null;
  };
}

function faultOf(chunk: Buffer, size: number): string | null {
  if (chunk.length !== size) return `the connection ended inside a PDU, ${size - chunk.length} octets short`;
  // The parser asks for four octets when it wants a length, and for a body that small never: 8 is refused here.
  if (size !== LENGTH_OCTETS) return null;
  const length = chunk.readUInt32BE(0);
  return length < HEADER_OCTETS || length > PDU.maxLength ? `a PDU claims ${length} octets` : null;
}
