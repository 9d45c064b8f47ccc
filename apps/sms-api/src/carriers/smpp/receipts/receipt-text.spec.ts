import { anyCodePoint, expectLinear } from '@heliograph/testing';
import fc from 'fast-check';
import { parseReceiptDate, parseReceiptText } from './receipt-text';

describe('parseReceiptText', () => {
  it('parses the format of the specification', () => {
    const text =
      'id:0a1b sub:001 dlvrd:001 submit date:2411201859 done date:2411201900 stat:DELIVRD err:000 text:Your code';
    expect(parseReceiptText(text, 0)).toEqual({
      id: '0a1b',
      stat: 'DELIVRD',
      err: '000',
      sub: '001',
      dlvrd: '001',
      submittedAt: new Date('2024-11-20T18:59:00Z'),
      doneAt: new Date('2024-11-20T19:00:00Z'),
      beginsWithId: true,
    });
  });

  it('parses fields in any order, case and spacing, and with missing fields', () => {
    expect(parseReceiptText('STAT: undeliv  Done Date:241120190005 ID:7', 330)).toMatchObject({
      id: '7',
      stat: 'undeliv',
      err: null,
      doneAt: new Date('2024-11-20T13:30:05Z'),
      beginsWithId: false,
    });
    expect(parseReceiptText('', 0)).toMatchObject({ id: null, stat: null, err: null, doneAt: null });
    expect(parseReceiptText('Message_ID = "a_7", Status = DELIVRD; Error code=12', 0)).toMatchObject({
      id: 'a_7',
      stat: 'DELIVRD',
      err: '12',
    });
    // 0x11 is the underscore of GSM 03.38.
    expect(parseReceiptText('id:a\x117 stat:DELIVRD', 0)).toMatchObject({ id: 'a_7' });
  });

  it('accepts fields that end with NUL or another control character', () => {
    expect(parseReceiptText('id:7\0\0stat:DELIVRD\0 err:000\0', 0)).toMatchObject({
      id: '7',
      stat: 'DELIVRD',
      err: '000',
    });
    expect(parseReceiptText('id:7\x01stat:UNDELIV\x7f err:\0', 0)).toMatchObject({ stat: 'UNDELIV', err: null });
  });

  it('ignores fields inside the text of the message', () => {
    const text = 'id:1 stat:UNDELIV text:id:2 stat:DELIVRD err:999';
    expect(parseReceiptText(text, 0)).toMatchObject({ id: '1', stat: 'UNDELIV', err: null });
    // Without a status before the text, fields after it can complete the receipt, but replace nothing.
    expect(parseReceiptText('id:1 text:id:2 stat:DELIVRD stat:UNDELIV', 0)).toMatchObject({ id: '1', stat: 'DELIVRD' });
  });

  it('never throws for arbitrary input', () => {
    const fragment = fc.constantFrom(
      'id:',
      'stat:',
      'err:',
      'done date:',
      ' ',
      'text:',
      'submit',
      'd',
      ':',
      '\n',
      '\0',
    );
    const hostile = fc.array(fc.oneof(fragment, fc.string({ unit: anyCodePoint, maxLength: 20 })), {
      maxLength: 2_000,
    });
    fc.assert(
      fc.property(hostile, fc.integer({ min: -840, max: 840 }), (pieces, zone) => {
        const text = pieces.join('');
        const receipt = parseReceiptText(text, zone);
        expect(receipt.id?.length ?? 0).toBeLessThanOrEqual(256);
        for (const field of [receipt.id, receipt.stat, receipt.err]) expect(field ?? '').not.toMatch(/\p{Cc}/u);
        if (receipt.doneAt) expect(receipt.doneAt.getTime()).not.toBeNaN();
      }),
    );
  });

  it.each([' ', ' id', 'id:', ' done date:', 'text', 'submit '])('takes linear time for a megabyte of %j', (piece) => {
    expectLinear(
      1_000_000,
      (size) => piece.repeat(size / piece.length),
      (text) => parseReceiptText(text, 0),
    );
  });
});

describe('parseReceiptDate', () => {
  it.each([
    ['2411201900', '2024-11-20T19:00:00.000Z'],
    ['241120190059', '2024-11-20T19:00:59.000Z'],
    ['20241120190059', '2024-11-20T19:00:59.000Z'],
    ['202411201900', '2024-11-20T19:00:00.000Z'],
  ])('parses %s as %s', (value, expected) => {
    expect(parseReceiptDate(value, 0)?.toISOString()).toBe(expected);
  });

  it.each(['', '24112019', '2402301900', '2413011900', '2411202400', 'yesterday', '24112019005'])(
    'returns null for the invalid date "%s"',
    (value) => {
      expect(parseReceiptDate(value, 0)).toBeNull();
    },
  );
});
