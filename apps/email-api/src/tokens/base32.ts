const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
const VALUES = new Map([...ALPHABET].map((character, value) => [character, value]));
const BITS = 5;

/**
 * Encodes base32 (RFC 4648) in lower case without padding, because mail servers may change the case of a local part.
 * The length must be a multiple of five bytes, so that the encoding is unique.
 */
export function toBase32(bytes: Buffer): string {
  if (bytes.length % BITS !== 0) throw new RangeError('base32 without padding requires a multiple of five bytes');
  let text = '';
  for (let start = 0; start < bytes.length; start += BITS) {
    let group = bytes.readUIntBE(start, BITS);
    let characters = '';
    for (let index = 0; index < 8; index++) {
      characters = (ALPHABET[group % 32] ?? '') + characters;
      group = Math.floor(group / 32);
    }
    text += characters;
  }
  return text;
}

/** Decodes `toBase32` in any case; null for invalid text. */
export function fromBase32(text: string): Buffer | null {
  if (text.length % 8 !== 0) return null;
  const bytes = Buffer.alloc((text.length / 8) * BITS);
  for (let index = 0, group = 0; index < text.length; index++) {
    const value = VALUES.get((text[index] ?? '').toLowerCase());
    if (value === undefined) return null;
    group = group * 32 + value;
    if (index % 8 !== 7) continue;
    bytes.writeUIntBE(group, ((index - 7) / 8) * BITS, BITS);
    group = 0;
  }
  return bytes;
}
