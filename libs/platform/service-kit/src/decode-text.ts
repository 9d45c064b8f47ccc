import { isUtf8 } from 'node:buffer';

/**
 * Decodes UTF-8. Invalid bytes become lone surrogates, which the validation of the field rejects; other fields of the
 * call are not affected. A replacement character that was sent is kept.
 */
export function decodeText(octets: Uint8Array): string {
  const buffer = Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
  if (isUtf8(buffer)) return buffer.toString('utf8');
  const pieces: string[] = [];
  let start = 0;
  // 0xEF is always the first byte of a sequence, so the bytes of U+FFFD are that character at any position.
  for (let at = buffer.indexOf('\ufffd'); at >= 0; at = buffer.indexOf('\ufffd', start)) {
    pieces.push(buffer.toString('utf8', start, at));
    start = at + 3;
  }
  pieces.push(buffer.toString('utf8', start));
  return pieces.map((piece) => piece.replaceAll('\ufffd', '\ud800')).join('\ufffd');
}
