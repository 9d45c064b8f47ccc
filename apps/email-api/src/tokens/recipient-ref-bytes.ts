import type { RecipientRef } from '../events/recipient-event';

/** 16 bytes of the send's UUID, followed by the position as a 16-bit big-endian integer. */
export const REF_BYTES = 18;

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Throws a RangeError for an invalid reference. */
export function refToBytes({ messageId, position }: RecipientRef): Buffer {
  if (!UUID.test(messageId)) throw new RangeError(`${messageId} is not a UUID`);
  const bytes = Buffer.alloc(REF_BYTES);
  bytes.write(messageId.replaceAll('-', ''), 'hex');
  bytes.writeUInt16BE(position, 16);
  return bytes;
}

export function refFromBytes(bytes: Buffer): RecipientRef {
  const hex = bytes.toString('hex', 0, 16);
  const groups = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)];
  return { messageId: groups.join('-'), position: bytes.readUInt16BE(16) };
}
