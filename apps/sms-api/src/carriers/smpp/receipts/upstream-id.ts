import type { SmppCarrierConfig } from '../../carrier-config';

export type ReceiptIdNotation = SmppCarrierConfig['receiptIdNotation'];
export type KnownNotation = Exclude<ReceiptIdNotation, 'auto'>;
export const NOTATIONS: readonly KnownNotation[] = [
  'same',
  'hex-response-decimal-receipt',
  'decimal-response-hex-receipt',
];
/** The source of an id: a submit response or a receipt. */
export type UpstreamIdSide = 'response' | 'receipt';

/** `message_id` has at most 64 characters (SMPP 3.4, 4.4.2). */
const MAX_ID_LENGTH = 64;

/**
 * Normalizes a carrier's message id, so that the id of a receipt equals the id of the submit response: trimmed, lower
 * case, without leading zeros if it is a number, and decimal if one side is hexadecimal. Returns at most 64 characters;
 * a blank id becomes the empty string.
 */
export function normalizeUpstreamId(id: string, side: UpstreamIdSide, notation: KnownNotation): string {
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

/** Converts a receipt's id, normalized as `same`, to the notation of the submit responses. */
export function convertReceiptId(id: string, notation: KnownNotation): string {
  switch (notation) {
    case 'same':
      return id;
    case 'hex-response-decimal-receipt':
      return /^[0-9]+$/.test(id) ? BigInt(id).toString(16) : id;
    case 'decimal-response-hex-receipt':
      return decimalFromHex(id);
  }
}

/**
 * Converts the stored id of a receipt to each form in which the carrier may have returned it in the response to the submit.
 * The result includes the stored id itself. `auto`: the notation is not detected yet.
 */
export function possibleIds(stored: string, notation: ReceiptIdNotation): string[] {
  const notations = notation === 'auto' ? NOTATIONS : (['same', notation] as const);
  return [...new Set(notations.map((known) => convertReceiptId(stored, known)))];
}

/** Hexadecimal ids can be padded too, so the letters a to f count as digits. */
function withoutLeadingZeros(text: string): string {
  return /^[0-9a-f]+$/.test(text) ? text.replace(/^0+(?=.)/, '') : text;
}

function decimalFromDecimal(text: string): string {
  // An id with a letter is hexadecimal, even where decimal is configured.
  return /^[0-9]+$/.test(text) ? withoutLeadingZeros(text) : decimalFromHex(text);
}

function decimalFromHex(text: string): string {
  const digits = text.startsWith('0x') ? text.slice(2) : text;
  if (!/^[0-9a-f]+$/.test(digits)) return text;
  const decimal = BigInt(`0x${digits}`).toString(10);
  return decimal.length > MAX_ID_LENGTH ? withoutLeadingZeros(digits) : decimal;
}
