import type { SmppCarrierSettings } from '../../carrier-settings';

export type ReceiptIdNotation = SmppCarrierSettings['receiptIdNotation'];
/** Where an id was read: in the answer to a submit, or in a receipt. */
export type UpstreamIdSide = 'response' | 'receipt';

/** `message_id` has at most 64 characters (SMPP 3.4, 4.4.2). */
const MAX_ID_LENGTH = 64;

/**
 * One spelling for a carrier's message id, whichever side it was read on, so that receipts find their message:
 * trimmed, lower case, without leading zeros where it is a number, and decimal where one side is hexadecimal.
 * At most 64 characters; an id that holds nothing is the empty string.
 */
export function normalizeUpstreamId(id: string, side: UpstreamIdSide, notation: ReceiptIdNotation): string {
  const text = id
    .slice(0, 4 * MAX_ID_LENGTH)
    .replaceAll('\0', ' ')
    .trim()
    .toLowerCase()
    .slice(0, MAX_ID_LENGTH);
  switch (notation) {
    case 'same':
      return withoutLeadingZeros(text);
    case 'hex-response-decimal-receipt':
      return side === 'response' ? decimalFromHex(text) : decimalFromDecimal(text);
    case 'decimal-response-hex-receipt':
      return side === 'receipt' ? decimalFromHex(text) : decimalFromDecimal(text);
  }
}

/** Hexadecimal ids are padded too, so letters a to f count as digits here. */
function withoutLeadingZeros(text: string): string {
  return /^[0-9a-f]+$/.test(text) ? text.replace(/^0+(?=.)/, '') : text;
}

function decimalFromDecimal(text: string): string {
  // A carrier that spells some ids in hexadecimal on both sides shows it by a letter.
  return /^[0-9]+$/.test(text) ? withoutLeadingZeros(text) : decimalFromHex(text);
}

function decimalFromHex(text: string): string {
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  if (!/^[0-9a-f]+$/.test(digits)) return text;
  const decimal = BigInt(`0x${digits}`).toString(10);
  return decimal.length > MAX_ID_LENGTH ? withoutLeadingZeros(digits) : decimal;
}
