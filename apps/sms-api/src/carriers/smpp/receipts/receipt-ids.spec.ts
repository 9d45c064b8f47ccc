import fc from 'fast-check';
import { ReceiptIds } from './receipt-ids';
import type { KnownNotation } from './upstream-id';

const RECIPIENT = '919811111111';
const writes: Record<KnownNotation, { response: (id: number) => string; receipt: (id: number) => string }> = {
  same: { response: (id) => id.toString(16).padStart(8, '0'), receipt: (id) => id.toString(16).toUpperCase() },
  'hex-response-decimal-receipt': {
    response: (id) => id.toString(16),
    receipt: (id) => id.toString(10).padStart(10, '0'),
  },
  'decimal-response-hex-receipt': { response: (id) => id.toString(10), receipt: (id) => id.toString(16).toUpperCase() },
};

describe('ReceiptIds', () => {
  it.each(Object.keys(writes) as KnownNotation[])(
    'row 24: detects the notation %s from the first receipts',
    (notation) => {
      fc.assert(
        fc.property(fc.integer({ min: 1_000_000, max: 2 ** 40 }), fc.integer({ min: 1, max: 100 }), (first, step) => {
          const detected: string[] = [];
          const ids = new ReceiptIds('auto', (found) => detected.push(found));
          const numbers = Array.from({ length: 20 }, (_, index) => first + index * step);
          const stored = numbers.map((id) => ids.ofResponse(writes[notation].response(id), RECIPIENT));
          const received = numbers.map((id) => ids.ofReceipt(writes[notation].receipt(id), [`+${RECIPIENT}`], 0));
          const conversions = new Map(ids.conversions(1_000).map(({ from, to }) => [from, to]));
          expect(detected).toEqual([notation]);
          expect(ids.storedNotation).toBe(notation);
          expect(received.map((id, index) => (index < 10 ? (conversions.get(id) ?? id) : id))).toEqual(stored);
        }),
      );
    },
  );

  it('ignores receipts of other recipients and ids that match under several notations', () => {
    const detected: string[] = [];
    const ids = new ReceiptIds('auto', (found) => detected.push(found));
    // The decimal 16 is "10" in hexadecimal, and both are ids of submits.
    for (const id of ['10', '16', '1a']) ids.ofResponse(id, RECIPIENT);
    for (let count = 0; count < 10; count += 1) {
      ids.ofReceipt('16', [RECIPIENT], 0);
      ids.ofReceipt('26', ['441234567890'], 0);
      ids.ofReceipt('5', [RECIPIENT], 0);
    }
    expect(detected).toEqual([]);
    expect(ids.storedNotation).toBe('auto');
    for (let count = 0; count < 3; count += 1) ids.ofReceipt('26', [RECIPIENT], 0);
    expect(detected).toEqual(['hex-response-decimal-receipt']);
  });

  it('uses a configured notation without detection', () => {
    const ids = new ReceiptIds('hex-response-decimal-receipt', () => undefined);
    expect(ids.ofResponse('1A', RECIPIENT)).toBe('26');
    expect(ids.ofReceipt('0026', [RECIPIENT], 0)).toBe('26');
    expect(ids.conversions(0)).toEqual([]);
    expect(ids.storedNotation).toBe('same');
  });

  it('discards the receipts from before the detection after 30 seconds', () => {
    const ids = new ReceiptIds('auto', () => undefined);
    for (const id of ['1a', '1b', '1c']) ids.ofResponse(id, RECIPIENT);
    for (const id of ['26', '27', '28']) ids.ofReceipt(id, [RECIPIENT], 0);
    expect(ids.conversions(1_000)).toEqual([
      { from: '26', to: '1a' },
      { from: '27', to: '1b' },
    ]);
    expect(ids.conversions(31_000)).toEqual([]);
  });
});
