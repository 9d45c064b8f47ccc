import { isUtf8 } from 'node:buffer';

const NON_ASCII = /[^\0-\x7f]/;
const REPLACEMENT = '\ufffd';

/**
 * Decodes a file: UTF-8 or UTF-16 by its byte order mark; without one, UTF-8, or Windows-1252 (a superset of Latin-1, the encoding of
 * the CSV files of Excel) if most of the first non-ASCII characters are not UTF-8. Invalid bytes of UTF-8 become U+FFFD, with
 * which a row is invalid.
 */
export async function* textOf(chunks: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let undecided: Buffer = Buffer.alloc(0);
  let isFirst = true;
  for await (const chunk of chunks) {
    let bytes = chunk;
    if (isFirst) {
      const marked = markedEncoding(chunk);
      decoder = marked === null ? null : new TextDecoder(marked);
      isFirst = false;
    }
    if (!decoder) {
      bytes = Buffer.concat([undecided, chunk]);
      const start = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
      if (!NON_ASCII.test(start)) {
        // Only ASCII, except an incomplete character at the end.
        undecided = bytes.subarray(start.length);
        if (start !== '') yield start;
        continue;
      }
      decoder = new TextDecoder(encodingOf(bytes, start));
    }
    const text = decoder.decode(bytes, { stream: true });
    if (text !== '') yield text;
  }
  const end = decoder ? decoder.decode() : new TextDecoder('windows-1252').decode(undecided);
  if (end !== '') yield end;
}

function markedEncoding(chunk: Buffer): string | null {
  if (chunk[0] === 0xff && chunk[1] === 0xfe) return 'utf-16le';
  if (chunk[0] === 0xfe && chunk[1] === 0xff) return 'utf-16be';
  return chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? 'utf-8' : null;
}

/** A file in UTF-8 has few invalid bytes; in one in Windows-1252, almost every non-ASCII byte is invalid UTF-8. */
function encodingOf(bytes: Buffer, asUtf8: string): string {
  if (isUtf8(bytes)) return 'utf-8';
  let invalid = 0;
  let valid = 0;
  for (const character of asUtf8) {
    if (character === REPLACEMENT) invalid++;
    else if (NON_ASCII.test(character)) valid++;
  }
  return invalid > valid ? 'windows-1252' : 'utf-8';
}
