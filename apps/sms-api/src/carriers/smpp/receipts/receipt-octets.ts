import type { PDU } from 'smpp';

const ESM_CLASS_UDH = 0x40;
/** `ReceiptText` reads no more characters; UCS-2 has two octets for each. */
const MAX_OCTETS = 2_048;
const BYTE_ORDER_MARK = '\ufeff';

/**
 * Returns the text of a `deliver_sm` or `data_sm`, from `short_message` or `message_payload`, without its user data
 * header.
 *
 * Carriers often label the alphabet incorrectly, so it is detected from the octets: a receipt begins with ASCII
 * characters, of which UCS-2 has every second octet zero. All other alphabets of receipts contain ASCII.
 */
export function receiptTextOf(pdu: PDU): string {
  const shortMessage = octetsOf(pdu['short_message']);
  const body = shortMessage.length > 0 ? shortMessage : octetsOf(pdu['message_payload']);
  const esmClass = typeof pdu['esm_class'] === 'number' ? pdu['esm_class'] : 0;
  const headerLength = (esmClass & ESM_CLASS_UDH) === 0 ? 0 : (body[0] ?? 0) + 1;
  return decode(body.subarray(headerLength, headerLength + MAX_OCTETS));
}

/** The value of a field or TLV that is declared as octets; empty if it is missing. */
export function octetsOf(value: unknown): Buffer {
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}

function decode(octets: Buffer): string {
  const even = octets.subarray(0, octets.length - (octets.length % 2));
  const bigEndian = Buffer.from(even).swap16().toString('utf16le');
  if (beginsWithAscii(bigEndian)) return bigEndian.replace(BYTE_ORDER_MARK, '');
  const littleEndian = even.toString('utf16le');
  if (beginsWithAscii(littleEndian)) return littleEndian.replace(BYTE_ORDER_MARK, '');
  return octets.toString('latin1');
}

/** Two ASCII octets as UCS-2 are one character of another script, so four characters are sufficient evidence. */
function beginsWithAscii(text: string): boolean {
  return /^\ufeff?[\x01-\x7f]{4}/.test(text);
}
