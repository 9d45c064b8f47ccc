import { expectLinear } from '@heliograph/testing';
import fc from 'fast-check';
import { readReceiptDate, readReceiptText } from './receipt-text';

describe('a receipt in text form', () => {
  it('is read as the specification writes it', () => {
    const text =
      'id:0a1b sub:001 dlvrd:001 submit date:2411201859 done date:2411201900 stat:DELIVRD err:000 text:Your code';
    expect(readReceiptText(text, 0)).toEqual({
      id: '0a1b',
      stat: 'DELIVRD',
      err: '000',
      doneAt: new Date('2024-11-20T19:00:00Z'),
    });
  });

  it('is read in any order, case and spacing, and with fields missing', () => {
    expect(readReceiptText('STAT: undeliv  Done Date:241120190005 ID:7', 330)).toEqual({
      id: '7',
      stat: 'undeliv',
      err: null,
      doneAt: new Date('2024-11-20T13:30:05Z'),
    });
    expect(readReceiptText('', 0)).toEqual({ id: null, stat: null, err: null, doneAt: null });
  });

  it('does not believe what the message itself says', () => {
    const text = 'id:1 stat:UNDELIV text:id:2 stat:DELIVRD err:999';
    expect(readReceiptText(text, 0)).toMatchObject({ id: '1', stat: 'UNDELIV', err: null });
  });

  it('never throws, whatever comes', () => {
    const fragment = fc.constantFrom('id:', 'stat:', 'done date:', ' ', 'text:', 'submit', 'd', ':', '\n');
    const hostile = fc.array(fc.oneof(fragment, fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 2_000 });
    fc.assert(
      fc.property(hostile, fc.integer({ min: -840, max: 840 }), (pieces, zone) => {
        const text = pieces.join('');
        const receipt = readReceiptText(text, zone);
        expect(receipt.id?.length ?? 0).toBeLessThanOrEqual(256);
        if (receipt.doneAt) expect(receipt.doneAt.getTime()).not.toBeNaN();
      }),
    );
  });

  it.each([' ', ' id', 'id:', ' done date:', 'text', 'submit '])('stays quick on a megabyte of %j', (piece) => {
    expectLinear(
      1_000_000,
      (size) => piece.repeat(size / piece.length),
      (text) => readReceiptText(text, 0),
    );
  });
});

describe('a receipt date', () => {
  it.each([
    ['2411201900', '2024-11-20T19:00:00.000Z'],
    ['241120190059', '2024-11-20T19:00:59.000Z'],
    ['20241120190059', '2024-11-20T19:00:59.000Z'],
    ['202411201900', '2024-11-20T19:00:00.000Z'],
  ])('%s is %s', (value, expected) => {
    expect(readReceiptDate(value, 0)?.toISOString()).toBe(expected);
  });

  it.each(['', '24112019', '2402301900', '2413011900', '2411202400', 'yesterday', '24112019005'])(
    '%s is none',
    (value) => {
      expect(readReceiptDate(value, 0)).toBeNull();
    },
  );
});
