import { anyCodePoint } from '@heliograph/testing';
import fc from 'fast-check';
import { decodeText } from './decode-text';

describe('decodeText', () => {
  it('returns the text of any valid UTF-8', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCodePoint }),
      fc.string({ unit: fc.constantFrom('\ufffd', '\ufeff', 'é', '😀') }),
    );
    fc.assert(fc.property(text, (value) => expect(decodeText(Buffer.from(value))).toBe(Buffer.from(value).toString())));
  });

  it('decodes invalid UTF-8 to unpaired surrogates, and keeps a replacement character that was sent', () => {
    expect(decodeText(Buffer.from([0x61, 0xff, 0x62]))).toBe('a\ud800b');
    expect(decodeText(Buffer.from([0xe2, 0x82, 0xef, 0xbf, 0xbd, 0x62]))).toBe('\ud800\ufffdb');
    expect(decodeText(Buffer.from([0xed, 0xa0, 0x80]))).toMatch(/^\ud800+$/);
    expect(decodeText(Buffer.from([0xc0, 0xaf]))).toMatch(/^\ud800+$/);
  });

  it('returns an unpaired surrogate if and only if the bytes are not UTF-8', () => {
    const octets = fc.array(fc.constantFrom(0x61, 0xe2, 0x82, 0xac, 0xef, 0xbf, 0xbd, 0xf0, 0x9f, 0xff), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(octets, (values) => {
        let valid = true;
        try {
          new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(values));
        } catch {
          valid = false;
        }
        expect(/\p{Surrogate}/u.test(decodeText(Buffer.from(values)))).toBe(!valid);
      }),
      { numRuns: 1000 },
    );
  });
});
