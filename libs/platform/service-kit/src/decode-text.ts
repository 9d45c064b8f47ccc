import { isUtf8 } from 'node:buffer';

/**
 * UTF-8 text. Octets that are not UTF-8 become lone surrogates, which the check of the field that holds them refuses;
 * other fields of the call are not touched. A replacement character that was really sent stays one.
 */
export function decodeText(octets: Uint8Array): string {
  const buffer = Buffer.from(octets.buffer, octets.byteOffset, octets.byteLength);
  if (isUtf8(buffer)) return buffer.toString('utf8');
  const pieces: string[] = [];
  let start = 0;
  // 0xEF only ever begins a sequence, so the octets of U+FFFD are that character wherever they stand.
  for (let at = buffer.indexOf('\ufffd'); at >= 0; at = buffer.indexOf('\ufffd', start)) {
    pieces.push(buffer.toString('utf8', start, at));
    start = at + 3;
  }
  pieces.push(buffer.toString('utf8', start));
  return pieces.map((piece) => piece.replaceAll('\ufffd', '\ud800')).join('\ufffd');
}
