import { isGsm7, septetCount, septetWidth } from './gsm7';

export type SmsEncoding = 'gsm-7' | 'ucs-2';

/** A concatenated message numbers its parts in one byte (3GPP TS 23.040, 9.2.3.24.1). */
export const MAX_SEGMENTS = 255;

/**
 * Capacity in septets or UTF-16 units of a single part, and of a part whose 140 bytes contain a concatenation header
 * of 6 bytes.
 */
const CAPACITY: Record<SmsEncoding, { single: number; concatenated: number }> = {
  'gsm-7': { single: 160, concatenated: 153 },
  'ucs-2': { single: 70, concatenated: 67 },
};

/** A text with more UTF-16 units than this needs more than MAX_SEGMENTS parts in every encoding. */
export const MAX_BODY_UNITS = MAX_SEGMENTS * CAPACITY['gsm-7'].concatenated;

/** GSM 7-bit if it contains every character of the text; otherwise UCS-2 for the whole text. */
export function chooseEncoding(text: string): SmsEncoding {
  return isGsm7(text) ? 'gsm-7' : 'ucs-2';
}

/** Returns the encoding and the number of charged segments; 0 for an empty text. */
export function countSegments(text: string): { encoding: SmsEncoding; segments: number } {
  const septets = septetCount(text);
  const encoding = septets < 0 ? 'ucs-2' : 'gsm-7';
  const size = septets < 0 ? text.length : septets;
  if (size === 0) return { encoding, segments: 0 };
  if (size <= CAPACITY[encoding].single) return { encoding, segments: 1 };
  let segments = 0;
  for (let start = 0; start < text.length; start = endOfPart(text, start, encoding)) segments++;
  return { encoding, segments };
}

/**
 * Splits the text into as many parts as `countSegments` counts. Escape sequences and surrogate pairs are never split.
 * Throws a RangeError when the text does not fit the encoding.
 */
export function splitSegments(text: string, encoding: SmsEncoding): string[] {
  const size = encoding === 'gsm-7' ? septetCount(text) : text.length;
  if (size < 0) throw new RangeError('The text has a character outside the GSM 7-bit alphabet; split it as UCS-2.');
  if (size === 0) return [];
  if (size <= CAPACITY[encoding].single) return [text];
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = endOfPart(text, start, encoding);
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}

/** Used and free units of the last segment: septets, or UTF-16 units of UCS-2. */
export function roomInLastSegment(text: string): { used: number; left: number } {
  const encoding = chooseEncoding(text);
  const parts = splitSegments(text, encoding);
  const last = parts.at(-1) ?? '';
  const used = encoding === 'gsm-7' ? septetCount(last) : last.length;
  const { single, concatenated } = CAPACITY[encoding];
  return { used, left: (parts.length > 1 ? concatenated : single) - used };
}

/** Index after the last UTF-16 unit of the concatenated part that begins at `start`; always greater than `start`. */
function endOfPart(text: string, start: number, encoding: SmsEncoding): number {
  const room = CAPACITY[encoding].concatenated;
  if (encoding === 'ucs-2') {
    const end = Math.min(start + room, text.length);
    const cutsPair =
      end < text.length && isHighSurrogate(text.charCodeAt(end - 1)) && isLowSurrogate(text.charCodeAt(end));
    return cutsPair ? end - 1 : end;
  }
  let end = start;
  let used = 0;
  while (end < text.length) {
    used += septetWidth(text.charCodeAt(end));
    if (used > room) break;
    end++;
  }
  return end;
}

function isHighSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xd800;
}

function isLowSurrogate(unit: number): boolean {
  return (unit & 0xfc00) === 0xdc00;
}
