import { anyCodePoint } from '@heliograph/testing';
import fc from 'fast-check';
import { normalizeUpstreamId, possibleIds } from './upstream-id';

describe('normalizeUpstreamId', () => {
  it('removes spaces, NULs and leading zeros and converts to lower case', () => {
    expect(normalizeUpstreamId(' 00AbC1\0', 'response', 'same')).toBe('abc1');
    expect(normalizeUpstreamId('0000', 'receipt', 'same')).toBe('0');
    expect(normalizeUpstreamId('0-Xyz', 'receipt', 'same')).toBe('0-xyz');
    expect(normalizeUpstreamId('  ', 'receipt', 'same')).toBe('');
  });

  it('converts between hexadecimal and decimal notation', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 128n }), fc.nat(8), (id, zeros) => {
        const hex = '0'.repeat(zeros) + id.toString(16).toUpperCase();
        const decimal = '0'.repeat(zeros) + id.toString(10);
        const first = 'hex-response-decimal-receipt';
        expect(normalizeUpstreamId(hex, 'response', first)).toBe(normalizeUpstreamId(decimal, 'receipt', first));
        const second = 'decimal-response-hex-receipt';
        expect(normalizeUpstreamId(decimal, 'response', second)).toBe(normalizeUpstreamId(hex, 'receipt', second));
      }),
    );
  });

  it('accepts a hexadecimal receipt id where decimal is configured', () => {
    const notation = 'hex-response-decimal-receipt';
    expect(normalizeUpstreamId('1AF', 'receipt', notation)).toBe(normalizeUpstreamId('01af', 'response', notation));
  });

  it('limits the length and never throws for arbitrary input', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: anyCodePoint, maxLength: 500 }), fc.stringMatching(/^[0-9a-f]{0,300}$/)),
        fc.constantFrom('response' as const, 'receipt' as const),
        fc.constantFrom(
          'same' as const,
          'hex-response-decimal-receipt' as const,
          'decimal-response-hex-receipt' as const,
        ),
        (id, side, notation) => {
          const normal = normalizeUpstreamId(id, side, notation);
          expect(normal.length).toBeLessThanOrEqual(64);
          if (notation === 'same') expect(normalizeUpstreamId(normal, side, notation)).toBe(normal);
        },
      ),
    );
  });
});

describe('possibleIds', () => {
  it.each([
    ['26', 'auto', ['26', '1a', '38']],
    ['26', 'hex-response-decimal-receipt', ['26', '1a']],
    ['26', 'decimal-response-hex-receipt', ['26', '38']],
    ['26', 'same', ['26']],
    ['1a', 'auto', ['1a', '26']],
    ['7', 'auto', ['7']],
    ['7-x', 'auto', ['7-x']],
  ] as const)('of %s with the notation %s are %j', (stored, notation, ids) => {
    expect(possibleIds(stored, notation)).toEqual(ids);
  });
});
