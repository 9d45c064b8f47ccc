/**
 * The GSM 7-bit default alphabet and its extension table (3GPP TS 23.038, 6.2.1), unpacked: one byte per septet. The
 * carrier packs the septets, as is usual on SMPP links.
 */

const ESCAPE = 0x1b;
const ABSENT = 0xff;
const EXTENDED = 0x80;

/**
 * The index is the septet. The space at 0x1B is in the position of the escape, because receivers show a stray escape as
 * a space.
 */
const ALPHABET =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u0020ÆæßÉ' +
  ' !"#¤%&\'()*+,-./0123456789:;<=>?' +
  '¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§' +
  '¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** Extension table: the septet after the escape, and its character. */
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

/** Index: UTF-16 unit, up to the euro sign. Value: the septet, with EXTENDED set if an escape precedes it. */
const SEPTETS = new Uint8Array(0x20ac + 1).fill(ABSENT);
const EXTENSION_CHARACTERS: Array<string | undefined> = new Array<string | undefined>(0x80).fill(undefined);
for (let septet = 0; septet < ALPHABET.length; septet++) {
  if (septet !== ESCAPE) SEPTETS[ALPHABET.charCodeAt(septet)] = septet;
}
for (const [septet, character] of EXTENSION) {
  SEPTETS[character.charCodeAt(0)] = septet | EXTENDED;
  EXTENSION_CHARACTERS[septet] = character;
}

/** Number of septets of a UTF-16 unit: 1, 2 for the extension table, 0 if GSM 7-bit does not contain it. */
export function septetWidth(unit: number): 0 | 1 | 2 {
  const entry = SEPTETS[unit] ?? ABSENT;
  if (entry === ABSENT) return 0;
  return entry < EXTENDED ? 1 : 2;
}

/** Whether all characters are in the alphabet or its extension table. True for an empty text. */
export function isGsm7(text: string): boolean {
  for (let i = 0; i < text.length; i++) {
    if ((SEPTETS[text.charCodeAt(i)] ?? ABSENT) === ABSENT) return false;
  }
  return true;
}

/**
 * Number of septets of the text; a character of the extension table counts as two. -1 if a character is not in GSM
 * 7-bit.
 */
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
 * Encodes one byte per septet, with an escape before each extension character. Throws a RangeError that names the first
 * character outside the alphabet, so choose the encoding first.
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
 * Decodes unpacked septets; the top bit of each byte is ignored. Never throws: an escape before an unknown septet is
 * dropped, and an escape at the end or before another escape becomes a space, as TS 23.038 specifies for receivers.
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
