/**
 * The GSM 7-bit default alphabet and its extension table (3GPP TS 23.038, 6.2.1), unpacked: one octet holds one septet.
 * Packing is left to the carrier, as SMPP links expect it.
 */

const ESCAPE = 0x1b;
const ABSENT = 0xff;
const EXTENDED = 0x80;

/** Index is the septet. The blank at 0x1B stands where the escape is, and is what a receiver shows for a stray one. */
const ALPHABET =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u0020ÆæßÉ' +
  ' !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
  '¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** The septet that follows the escape, and what the two mean together. */
const EXTENSION: ReadonlyArray<readonly [septet: number, character: string]> = [
  [0x0a, '\f'],
  [0x14, '^'],
  [0x28, '{'],
  [0x29, '}'],
  [0x2f, '\\'],
  [0x3c, '['],
  [0x3d, '~'],
  [0x3e, ']'],
  [0x40, '|'],
  [0x65, '€'],
];

/** By UTF-16 unit up to the euro sign, the highest of them: the septet, with EXTENDED set where an escape precedes it. */
const SEPTETS = new Uint8Array(0x20ac + 1).fill(ABSENT);
const EXTENSION_CHARACTERS: Array<string | undefined> = new Array<string | undefined>(0x80).fill(undefined);
for (let septet = 0; septet < ALPHABET.length; septet++) {
  if (septet !== ESCAPE) SEPTETS[ALPHABET.charCodeAt(septet)] = septet;
}
for (const [septet, character] of EXTENSION) {
  SEPTETS[character.charCodeAt(0)] = septet | EXTENDED;
  EXTENSION_CHARACTERS[septet] = character;
}

/**
 * Septets that one UTF-16 unit takes: 1, 2 for a character of the extension table, 0 for one that GSM 7-bit does not
 * have.
 */
export function septetWidth(unit: number): 0 | 1 | 2 {
  const entry = SEPTETS[unit] ?? ABSENT;
  if (entry === ABSENT) return 0;
  return entry < EXTENDED ? 1 : 2;
}

/** Whether every character of the text is in the alphabet or its extension table. True for the empty text. */
export function isGsm7(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if ((SEPTETS[text.charCodeAt(i)] ?? ABSENT) === ABSENT) return false;
  }
  return true;
}

/** Septets of the text, an extension character counting two; -1 when it holds a character that GSM 7-bit does not have. */
export function septetCount(text: string): number {
  let extended = 0;
  for (let i = 0; i < text.length; i++) {
    const entry = SEPTETS[text.charCodeAt(i)] ?? ABSENT;
    if (entry === ABSENT) return -1;
    extended += entry >> 7;
  }
  return text.length + extended;
}

/**
 * One octet per septet, the escape before each extension character. Throws a RangeError that names the first character
 * outside the alphabet: choose the encoding first.
 */
export function encodeGsm7(text: string): Buffer {
  const octets = Buffer.allocUnsafe(text.length * 2);
  let length = 0;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    const entry = SEPTETS[unit] ?? ABSENT;
    if (entry === ABSENT) {
      const name = unit.toString(16).toUpperCase().padStart(4, '0');
      throw new RangeError(`U+${name} at ${i} is not in the GSM 7-bit alphabet; send this text as UCS-2.`);
    }
    if (entry >= EXTENDED) octets[length++] = ESCAPE;
    octets[length++] = entry & 0x7f;
  }
  return octets.subarray(0, length);
}

/**
 * The text of unpacked septets; the top bit of each octet is ignored. Never throws: an escape with nothing known behind
 * it reads as the plain character, one at the end or before another escape as a blank, as TS 23.038 has receivers do.
 */
export function decodeGsm7(octets: Uint8Array): string {
  let text = '';
  for (let i = 0; i < octets.length; i++) {
    const septet = (octets[i] ?? 0) & 0x7f;
    if (septet === ESCAPE && i + 1 < octets.length) {
      const next = (octets[++i] ?? 0) & 0x7f;
      text += EXTENSION_CHARACTERS[next] ?? ALPHABET.charAt(next);
    } else {
      text += ALPHABET.charAt(septet);
    }
  }
  return text;
}
