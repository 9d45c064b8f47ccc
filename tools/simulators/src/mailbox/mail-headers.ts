/** Decoded values by lower-case name; an array for repeated fields. */
export type MailHeaders = Record<string, string | string[]>;

const ENCODED_WORD = /=\?([\w.:-]+)(?:\*[\w-]*)?\?([bq])\?([^?\s]*)\?=/gi;
/** White space between two encoded words is not part of the text (RFC 2047, section 6.2). */
const GAP = /(=\?[^?\s]+\?[bq]\?[^?\s]*\?=)\s+(?==\?[^?\s]+\?[bq]\?[^?\s]*\?=)/gi;

/** Parses the header of an email: unfolds lines and decodes encoded words. */
export function readHeaders(raw: Buffer): MailHeaders {
  // No prototype: an email may have a field named `constructor`.
  const headers = Object.create(null) as MailHeaders;
  for (const [name, value] of headerFields(raw)) {
    const earlier = headers[name];
    if (earlier === undefined) headers[name] = value;
    else headers[name] = Array.isArray(earlier) ? [...earlier, value] : [earlier, value];
  }
  return headers;
}

/** The raw header without the empty line at its end. */
export function headerBlock(raw: Buffer): Buffer {
  const end = raw.indexOf('\r\n\r\n');
  return end < 0 ? raw : raw.subarray(0, end + 2);
}

function headerFields(raw: Buffer): [name: string, value: string][] {
  const unfolded = headerBlock(raw)
    .toString('utf8')
    .replace(/\r?\n(?=[ \t])/g, '');
  return unfolded.split(/\r?\n/).flatMap((line): [string, string][] => {
    const colon = line.indexOf(':');
    if (colon < 1) return [];
    return [[line.slice(0, colon).trim().toLowerCase(), decodeWords(line.slice(colon + 1).trim())]];
  });
}

interface EncodedRun {
  charset: string;
  octets: Buffer[];
}

/** Decodes the encoded words of RFC 2047. Malformed words remain unchanged. */
export function decodeWords(text: string): string {
  const joined = text.replace(GAP, '$1');
  let decoded = '';
  let end = 0;
  // A character may be split between two words, so adjacent words of one charset are decoded together.
  let run: EncodedRun | null = null;
  for (const { 0: word, 1: charset = '', 2: encoding = '', 3: content = '', index } of joined.matchAll(ENCODED_WORD)) {
    if (index > end || run?.charset !== charset.toLowerCase()) {
      decoded += decodeRun(run) + joined.slice(end, index);
      run = { charset: charset.toLowerCase(), octets: [] };
    }
    run.octets.push(encoding.toLowerCase() === 'b' ? Buffer.from(content, 'base64') : fromQ(content));
    end = index + word.length;
  }
  return decoded + decodeRun(run) + joined.slice(end);
}

function decodeRun(run: EncodedRun | null): string {
  if (!run) return '';
  const octets = Buffer.concat(run.octets);
  try {
    return new TextDecoder(run.charset).decode(octets);
  } catch {
    return octets.toString('latin1');
  }
}

function fromQ(content: string): Buffer {
  const latin = content
    .replaceAll('_', ' ')
    .replace(/=([0-9a-f]{2})/gi, (_match, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(latin, 'latin1');
}
