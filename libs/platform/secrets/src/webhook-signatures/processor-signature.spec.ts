import { anyCodePoint } from '@heliograph/testing';
import fc from 'fast-check';
import Stripe from 'stripe';
import { signProcessorPayload, verifyProcessorSignature } from './processor-signature';

const NOW = 1_790_000_000;
const SECRET = 'whsec_first';
const body = Buffer.from('{"id":"evt_1"}');
const verify = (header: string, { bytes = body, secrets = [SECRET], now = NOW } = {}) =>
  verifyProcessorSignature(header, bytes, secrets, now);

describe('the signature of a payment processor', () => {
  const header = signProcessorPayload(body, SECRET, NOW);
  const hex = header.slice(header.indexOf('v1=') + 3);

  it('is valid for its body, secret and timestamp', () => {
    expect(verify(header)).toBe('ok');
  });

  it('equals the signature of the official library of the processor', () => {
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
  ])('with a timestamp of %s is checked against the tolerance', (_when, timestamp, verdict) => {
    expect(verify(signProcessorPayload(body, SECRET, timestamp))).toBe(verdict);
  });

  it('is valid if any of several signatures matches', () => {
    const other = 'ab'.repeat(32);
    expect(verify(`t=${NOW},v1=${other},v1=${hex}`)).toBe('ok');
    expect(verify(`t=${NOW},v1=${hex},v1=${other},v0=${other}`)).toBe('ok');
    expect(verify(`t=${NOW},v1=${other},v1=${other}`)).toBe('mismatch');
  });

  it('is valid for both secrets during a rotation, and only for the new one afterwards', () => {
    expect(verify(header, { secrets: ['whsec_second', SECRET] })).toBe('ok');
    expect(verify(signProcessorPayload(body, 'whsec_second', NOW), { secrets: ['whsec_second', SECRET] })).toBe('ok');
    expect(verify(header, { secrets: ['whsec_second'] })).toBe('mismatch');
    expect(verify(header, { secrets: [] })).toBe('mismatch');
  });

  it('is always invalid for an empty secret', () => {
    expect(verify(signProcessorPayload(body, '', NOW), { secrets: [''] })).toBe('mismatch');
  });

  it('is invalid for a re-serialized body', () => {
    expect(verify(header, { bytes: Buffer.from('{ "id": "evt_1" }') })).toBe('mismatch');
  });

  it('is invalid for another timestamp', () => {
    expect(verify(`t=${NOW + 1},v1=${hex}`)).toBe('mismatch');
  });

  it('reports `stale` only for an authentic signature', () => {
    expect(verify(`t=1,v1=${'ab'.repeat(32)}`)).toBe('mismatch');
  });

  it.each([
    ['an empty header', ''],
    ['no timestamp', `v1=${hex}`],
    ['no signature', `t=${NOW}`],
    ['only another scheme', `t=${NOW},v0=${hex}`],
    ['a truncated signature', `t=${NOW},v1=${hex.slice(2)}`],
    ['a signature that is too long', `t=${NOW},v1=${hex}00`],
    ['a signature that is not hex', `t=${NOW},v1=${'zz'.repeat(32)}`],
    ['two timestamps', `t=${NOW},t=${NOW},v1=${hex}`],
    ['a timestamp that is not a number', `t=now,v1=${hex}`],
    ['a negative timestamp', `t=-${NOW},v1=${hex}`],
    ['a very long timestamp', `t=${'9'.repeat(400)},v1=${hex}`],
    ['a very long header', `t=${NOW},v1=${hex}${',v1=x'.repeat(2_000)}`],
  ])('is malformed with %s', (_what, hostile) => {
    expect(verify(hostile)).toBe('malformed');
  });

  it('is valid for any bytes and secret, and invalid for other bytes, secrets or timestamps', () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
    const secret = fc.string({ minLength: 1, unit: anyCodePoint });
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

  it('is rejected without an exception, for any header', () => {
    const piece = fc.oneof(
      fc.string({ unit: anyCodePoint }),
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

  it('is invalid after any flipped bit', () => {
    for (const [at, digit] of [...hex].entries()) {
      const flipped = (Number.parseInt(digit, 16) ^ 1).toString(16);
      expect(verify(`t=${NOW},v1=${hex.slice(0, at)}${flipped}${hex.slice(at + 1)}`)).toBe('mismatch');
    }
  });
});
