import fc from 'fast-check';
import { signHub, verifyHubSignature } from './hub-signature';

const SECRET = 'app secret';
const body = Buffer.from('{"object":"x"}');
const header = signHub(SECRET, body);
const hex = header.slice('sha256='.length);
const verify = (given: string | undefined, { secret = SECRET, bytes = body } = {}) =>
  verifyHubSignature(secret, bytes, given);

describe('the signature of the chat-app provider', () => {
  it('is the HMAC of RFC 4231 in hexadecimal', () => {
    const bytes = Buffer.from('what do ya want for nothing?');
    const published = 'sha256=5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843';
    expect(signHub('Jefe', bytes)).toBe(published);
    expect(verify(published, { secret: 'Jefe', bytes })).toBe('ok');
  });

  it('is valid with upper-case and lower-case digits', () => {
    expect(verify(`sha256=${hex.toUpperCase()}`)).toBe('ok');
  });

  it('is invalid for a re-serialized body', () => {
    expect(verify(header, { bytes: Buffer.from('{ "object": "x" }') })).toBe('mismatch');
  });

  it('is always invalid for an empty secret', () => {
    expect(verify(signHub('', body), { secret: '' })).toBe('mismatch');
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['only hexadecimal digits', hex],
    ['of another algorithm', `sha1=${hex.slice(0, 40)}`],
    ['cut', header.slice(0, -2)],
    ['too long', `${header}00`],
    ['not hexadecimal', `sha256=${'zz'.repeat(32)}`],
    ['repeated', `${header}, ${header}`],
    ['surrounded by spaces', ` ${header} `],
    ['with a line break', `${header}\n`],
    ['endless', `sha256=${'ab'.repeat(100_000)}`],
  ])('is malformed if it is %s', (_what, given) => {
    expect(verify(given)).toBe('malformed');
  });

  it('is valid for any bytes and secret, and invalid for other bytes or secrets', () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
    const secret = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(bytes, bytes, secret, secret, (one, other, right, wrong) => {
        fc.pre(!one.equals(other) && right !== wrong);
        expect(verifyHubSignature(right, one, signHub(right, one))).toBe('ok');
        expect(verifyHubSignature(right, other, signHub(right, one))).toBe('mismatch');
        expect(verifyHubSignature(wrong, one, signHub(right, one))).toBe('mismatch');
      }),
    );
  });

  it('is invalid after any flipped bit', () => {
    for (const [at, digit] of [...hex].entries()) {
      const flipped = (Number.parseInt(digit, 16) ^ 1).toString(16);
      expect(verify(`sha256=${hex.slice(0, at)}${flipped}${hex.slice(at + 1)}`)).toBe('mismatch');
    }
  });
});
