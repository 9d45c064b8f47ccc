import { isUtf8 } from 'node:buffer';
import { FieldError } from '../field-error';

/** Replaces invalid bytes in decoded text. */
export const INVALID = '\ud800';
/** Replacing a character takes about 50 ns. */
const MAX_INVALID = 10_000;

/**
 * Decodes UTF-8. Invalid bytes become lone surrogates, which the validation of the field rejects; other fields of the
 * call are not affected. A replacement character that was sent is kept. Throws a FieldError if the text has more than
 * 10,000 invalid bytes or replacement characters, because each takes time.
 */
export function decodeText(octets: Uint8Array): string {
  const buffer = Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
  if (isUtf8(buffer)) return buffer.toString('utf8');
  const text = buffer.toString('utf8');
  refuseTooManyInvalid(text);
  const pieces: string[] = [];
  let start = 0;
  // 0xEF is always the first byte of a sequence, so the bytes of U+FFFD are that character at any position.
  for (let at = buffer.indexOf('\ufffd'); at >= 0; at = buffer.indexOf('\ufffd', start)) {
    pieces.push(buffer.toString('utf8', start, at));
    start = at + 3;
  }
  pieces.push(buffer.toString('utf8', start));
  return pieces.map((piece) => piece.replaceAll('\ufffd', INVALID)).join('\ufffd');
}

function refuseTooManyInvalid(text: string): void {
  let at = -1;
  for (let count = 0; count <= MAX_INVALID; count++) {
    at = text.indexOf('\ufffd', at + 1);
    if (at < 0) return;
  }
  throw new FieldError('MALFORMED', 'The text is not valid UTF-8; send UTF-8.');
}
