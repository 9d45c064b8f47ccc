import fc from 'fast-check';
import Stripe from 'stripe';
import { signProcessorPayload, verifyProcessorSignature } from './processor-signature';

const NOW = 1_790_000_000;
const SECRET = 'whsec_first';
const body = Buffer.from('{"id":"evt_1"}');
const verify = (header: string, { bytes = body, secrets = [SECRET], now = NOW } = {}) =>
  verifyProcessorSignature(header, bytes, secrets, now);

describe("a processor's signature", () => {
  const header = signProcessorPayload(body, SECRET, NOW);
  const hex = header.slice(header.indexOf('v1=') + 3);

  it('holds for the bytes, the secret and the moment that it was made for', () => {
    expect(verify(header)).toBe('ok');
  });

  it("is the one that the processor's own library makes", () => {
    const stripe = new Stripe('sk_test_x');
    const foreign = stripe.webhooks.generateTestHeaderString({
      payload: body.toString(),
      secret: SECRET,
      timestamp: NOW,
    });
    expect(verify(foreign)).toBe('ok');
    expect(
      stripe.webhooks.signature?.verifyHeader(body.toString(), header, SECRET, undefined, undefined, NOW * 1000),
    ).toBe(true);
  });

  it.each([
    ['now', NOW, 'ok'],
    ['300 seconds ago', NOW - 300, 'ok'],
    ['301 seconds ago', NOW - 301, 'stale'],
    ['300 seconds ahead', NOW + 300, 'ok'],
    ['301 seconds ahead', NOW + 301, 'stale'],
  ])('of %s counts or does not', (_when, timestamp, verdict) => {
    expect(verify(signProcessorPayload(body, SECRET, timestamp))).toBe(verdict);
  });

  it('may be any of several, while others are of other secrets', () => {
    const other = 'ab'.repeat(32);
    expect(verify(`t=${NOW},v1=${other},v1=${hex}`)).toBe('ok');
    expect(verify(`t=${NOW},v1=${hex},v1=${other},v0=${other}`)).toBe('ok');
    expect(verify(`t=${NOW},v1=${other},v1=${other}`)).toBe('mismatch');
  });

  it('may be of either secret while they are rotated, and of the old one no more afterwards', () => {
    expect(verify(header, { secrets: ['whsec_second', SECRET] })).toBe('ok');
    expect(verify(signProcessorPayload(body, 'whsec_second', NOW), { secrets: ['whsec_second', SECRET] })).toBe('ok');
    expect(verify(header, { secrets: ['whsec_second'] })).toBe('mismatch');
    expect(verify(header, { secrets: [] })).toBe('mismatch');
  });

  it('is never one of an empty secret', () => {
    expect(verify(signProcessorPayload(body, '', NOW), { secrets: [''] })).toBe('mismatch');
  });

  it('does not hold for a body that was written anew', () => {
    expect(verify(header, { bytes: Buffer.from('{ "id": "evt_1" }') })).toBe('mismatch');
  });

  it('does not hold for another timestamp than it covers', () => {
    expect(verify(`t=${NOW + 1},v1=${hex}`)).toBe('mismatch');
  });

  it('does not tell that it is stale before it is known to be genuine', () => {
    expect(verify(`t=1,v1=${'ab'.repeat(32)}`)).toBe('mismatch');
  });

  it.each([
    ['nothing', ''],
    ['no timestamp', `v1=${hex}`],
    ['no signature', `t=${NOW}`],
    ['another scheme alone', `t=${NOW},v0=${hex}`],
    ['a signature that was cut', `t=${NOW},v1=${hex.slice(2)}`],
    ['a signature that is too long', `t=${NOW},v1=${hex}00`],
    ['a signature that is not hex', `t=${NOW},v1=${'zz'.repeat(32)}`],
    ['two timestamps', `t=${NOW},t=${NOW},v1=${hex}`],
    ['a timestamp that is no number', `t=now,v1=${hex}`],
    ['a negative timestamp', `t=-${NOW},v1=${hex}`],
    ['an endless timestamp', `t=${'9'.repeat(400)},v1=${hex}`],
    ['an endless header', `t=${NOW},v1=${hex}${',v1=x'.repeat(2_000)}`],
  ])('is malformed with %s', (_what, hostile) => {
    expect(verify(hostile)).toBe('malformed');
  });

  it('holds for any bytes and secret, and for no other bytes, secret or moment', () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
    const secret = fc.string({ minLength: 1, unit: 'grapheme' });
    fc.assert(
      fc.property(bytes, bytes, secret, secret, fc.nat(4_000_000_000), (one, other, right, wrong, at) => {
        fc.pre(!one.equals(other) && right !== wrong && right.isWellFormed() && wrong.isWellFormed());
        const signed = signProcessorPayload(one, right, at);
        expect(verifyProcessorSignature(signed, one, [wrong, right], at)).toBe('ok');
        expect(verifyProcessorSignature(signed, other, [right], at)).toBe('mismatch');
        expect(verifyProcessorSignature(signed, one, [wrong], at)).toBe('mismatch');
        expect(verifyProcessorSignature(signed, one, [right], at + 301)).toBe('stale');
      }),
    );
  });

  it('is refused, never thrown at, whatever stands in the header', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('t=', 'v1=', ',', '=', String(NOW), hex, '\0', ' '),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('');
        fc.pre(!text.includes(hex));
        expect(['malformed', 'mismatch']).toContain(verify(text));
      }),
    );
  });

  it('survives no flipped bit', () => {
    for (const [at, digit] of [...hex].entries()) {
      const flipped = (Number.parseInt(digit, 16) ^ 1).toString(16);
      expect(verify(`t=${NOW},v1=${hex.slice(0, at)}${flipped}${hex.slice(at + 1)}`)).toBe('mismatch');
    }
  });
});
