import fc from 'fast-check';
import { decodeGsm7, encodeGsm7, isGsm7, septetCount, septetWidth } from './gsm7';

const EXTENSION = '^{}\\[~]|€\f';
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const gsmText = fc.string({ unit: fc.constantFrom(...BASIC, ...EXTENSION) });

describe('the GSM 7-bit alphabet', () => {
  it('has 127 characters of one septet and ten of two', () => {
    const widths = Array.from({ length: 0x10000 }, (_, unit) => septetWidth(unit));
    expect(widths.filter((width) => width === 1)).toHaveLength(127);
    expect(widths.filter((width) => width === 2)).toHaveLength(10);
  });

  it.each([...BASIC])('counts %j as one septet', (character) => expect(septetCount(character)).toBe(1));

  it.each([...EXTENSION])('counts %j as two septets', (character) => expect(septetCount(character)).toBe(2));

  it.each(['ç', '`', '\u001b', 'α', '\t', '\u00a0', '😀', '\u0000', '’', '\uffff', '\ud800'])(
    'does not contain %j',
    (character) => {
      expect(isGsm7(`a${character}b`)).toBe(false);
      expect(septetCount(`a${character}b`)).toBe(-1);
      expect(() => encodeGsm7(`a${character}b`)).toThrow(/U\+[0-9A-F]{4} at 1/);
    },
  );

  it('maps characters as 3GPP TS 23.038 does', () => {
    expect([...encodeGsm7('@£Δ_ΞÉ A¡Zàa')]).toEqual([0, 1, 0x10, 0x11, 0x1a, 0x1f, 0x20, 0x41, 0x40, 0x5a, 0x7f, 0x61]);
    expect([...encodeGsm7('€[]{}~^\\|\f')]).toEqual(
      [0x65, 0x3c, 0x3e, 0x28, 0x29, 0x3d, 0x14, 0x2f, 0x40, 0x0a].flatMap((septet) => [0x1b, septet]),
    );
  });

  it('encodes an empty text to an empty buffer', () => {
    expect(encodeGsm7('')).toHaveLength(0);
    expect(isGsm7('')).toBe(true);
  });

  it('decodes a single escape to a space, and an unknown escaped septet to the unescaped character', () => {
    expect(decodeGsm7(Buffer.from([0x41, 0x1b]))).toBe('A ');
    expect(decodeGsm7(Buffer.from([0x1b, 0x41, 0x1b, 0x1b]))).toBe('A ');
  });

  it('encodes and decodes every text unchanged, with as many bytes as counted', () => {
    fc.assert(
      fc.property(gsmText, (text) => {
        const octets = encodeGsm7(text);
        expect(octets).toHaveLength(septetCount(text));
        expect(octets.every((octet) => octet < 0x80)).toBe(true);
        expect(decodeGsm7(octets)).toBe(text);
      }),
    );
  });

  it('decodes any bytes to text of the alphabet', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (octets) => {
        expect(isGsm7(decodeGsm7(octets))).toBe(true);
      }),
    );
  });
});
