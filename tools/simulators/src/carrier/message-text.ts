/** GSM 03.38 (3GPP TS 23.038, 6.2.1): the characters of codes 0x00 to 0x7f; 0x1b starts an escape. */
const DEFAULT_ALPHABET = [
  '@£$¥èéùìòÇ\nØø\rÅå',
  'Δ_ΦΓΛΩΠΨΣΘΞ\x1bÆæßÉ',
  ' !"#¤%&\'()*+,-./',
  '0123456789:;<=>?',
  '¡ABCDEFGHIJKLMNO',
  'PQRSTUVWXYZÄÖÑÜ§',
  '¿abcdefghijklmno',
  'pqrstuvwxyzäöñüà',
].join('');
const ESCAPE = 0x1b;
/** The extension table (3GPP TS 23.038, 6.2.1.1). */
const EXTENSION: Readonly<Record<number, string>> = {
  0x0a: '\f',
  0x14: '^',
  0x28: '{',
  0x29: '}',
  0x2f: '\\',
  0x3c: '[',
  0x3d: '~',
  0x3e: ']',
  0x40: '|',
  0x65: '€',
};
const REPLACEMENT = '\ufffd';

export type Alphabet = 'gsm' | 'ucs-2' | 'latin-1' | 'binary';

/** The alphabet of a `data_coding` (3GPP TS 23.038, section 4; SMPP 3.4, 5.2.19). */
export function alphabetOf(dataCoding: number): Alphabet {
  const group = dataCoding >> 4;
  if (group === 0xf) return (dataCoding & 0x04) === 0 ? 'gsm' : 'binary';
  switch (dataCoding & 0x0f) {
    case 0x00:
      return 'gsm';
    case 0x08:
      return 'ucs-2';
    case 0x01:
    case 0x03:
      return 'latin-1';
    default:
      return 'binary';
  }
}

/** Whether the message class is 0, in the general coding groups and in group 0xf. */
export function isClassZero(dataCoding: number): boolean {
  const group = dataCoding >> 4;
  return (group === 0x1 || group === 0xf) && (dataCoding & 0x03) === 0;
}

/**
 * The text of one part. A split escape sequence or surrogate pair is decoded as U+FFFD, as on a handset. Binary content
 * is returned as hexadecimal digits.
 */
export function readText(octets: Buffer, dataCoding: number): string {
  switch (alphabetOf(dataCoding)) {
    case 'gsm':
      return readGsm(octets);
    case 'ucs-2':
      return readUcs2(octets);
    case 'latin-1':
      return octets.toString('latin1');
    case 'binary':
      return octets.toString('hex');
  }
}

function readGsm(octets: Buffer): string {
  let text = '';
  for (let index = 0; index < octets.length; index += 1) {
    const code = octets[index] ?? 0;
    if (code === ESCAPE) {
      index += 1;
      text += EXTENSION[octets[index] ?? -1] ?? REPLACEMENT;
    } else {
      text += DEFAULT_ALPHABET[code] ?? REPLACEMENT;
    }
  }
  return text;
}

function readUcs2(octets: Buffer): string {
  const even = octets.length - (octets.length % 2);
  const text = Buffer.from(octets.subarray(0, even)).swap16().toString('utf16le');
  return text.replace(/\p{Surrogate}/gu, REPLACEMENT) + (even < octets.length ? REPLACEMENT : '');
}
