import { anyCodePoint } from '@heliograph/testing';
import fc from 'fast-check';
import { parseScheduledAt } from './parse-scheduled-at';

describe('parseScheduledAt', () => {
  it.each([
    ['2026-11-20T10:12:28Z', '2026-11-20T10:12:28.000000Z'],
    ['2026-11-20t10:12:28z', '2026-11-20T10:12:28.000000Z'],
    ['2026-11-20T10:12:28.1Z', '2026-11-20T10:12:28.100000Z'],
    ['2026-11-20T10:12:28.123456Z', '2026-11-20T10:12:28.123456Z'],
    ['2026-11-20T10:12:28.123456789Z', '2026-11-20T10:12:28.123456Z'],
    ['2026-11-20T23:59:59.999999999Z', '2026-11-20T23:59:59.999999Z'],
    ['2026-11-20T15:42:28+05:30', '2026-11-20T10:12:28.000000Z'],
    ['2026-11-20T02:12:28-08:00', '2026-11-20T10:12:28.000000Z'],
    ['2026-11-20T10:12:28-00:00', '2026-11-20T10:12:28.000000Z'],
    ['2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00.000000Z'],
    ['2028-02-29T00:00:00Z', '2028-02-29T00:00:00.000000Z'],
    ['2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000000Z'],
    ['2026-12-31T23:59:60Z', '2027-01-01T00:00:00.000000Z'],
    ['2026-06-30T23:59:60.5Z', '2026-07-01T00:00:00.500000Z'],
    ['2027-01-01T05:29:60+05:30', '2027-01-01T00:00:00.000000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000000Z'],
  ])('parses %s', (text, timestamp) => {
    const parsed = parseScheduledAt(text);
    expect(parsed?.timestamp).toBe(timestamp);
    expect(parsed?.date.toISOString()).toBe(`${timestamp.slice(0, 23)}Z`);
  });

  it.each([
    '',
    'tomorrow',
    '1763633548',
    '2026-11-20',
    '2026-11-20T10:12:28',
    '2026-11-20T10:12Z',
    '2026-11-20 10:12:28Z',
    ' 2026-11-20T10:12:28Z',
    '2026-11-20T10:12:28Z ',
    '2026-11-20T10:12:28Z\n',
    '2026-11-20T10:12:28.Z',
    '2026-11-20T10:12:28,5Z',
    '2026-11-20T10:12:28.1234567890Z',
    '2026-11-20T10:12:28+0530',
    '2026-11-20T10:12:28+05',
    '2026-11-20T10:12:28+25:00',
    '2026-11-20T10:12:28+24:00',
    '2026-11-20T10:12:28+05:60',
    '2026-11-20T10:12:28 05:30',
    '2026-11-20T10:12:28−05:30',
    '2026-02-30T00:00:00Z',
    '2026-02-29T00:00:00Z',
    '2100-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-13-10T00:00:00Z',
    '2026-11-00T00:00:00Z',
    '2026-11-20T24:00:00Z',
    '2026-11-20T10:60:00Z',
    '2026-11-20T10:12:61Z',
    '2026-11-20T10:12:60Z',
    '2026-12-30T23:59:60Z',
    '2026-12-31T23:59:60+01:00',
    '20261120T101228Z',
    '+002026-11-20T10:12:28Z',
    '26-11-20T10:12:28Z',
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00+01:00',
    '２026-11-20T10:12:28Z',
  ])('rejects %j', (text) => expect(parseScheduledAt(text)).toBeNull());

  const moment = fc.date({
    min: new Date('0001-01-03T00:00:00Z'),
    max: new Date('9999-12-29T00:00:00Z'),
    noInvalidDate: true,
  });

  it('parses formatted times back to the same time, in any zone', () => {
    fc.assert(
      fc.property(moment, fc.integer({ min: -1439, max: 1439 }), (date, offset) => {
        const local = new Date(date.getTime() + offset * 60_000).toISOString().slice(0, -1);
        const size = Math.abs(offset);
        const two = (value: number) => String(value).padStart(2, '0');
        const text = `${local}${offset < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
        expect(parseScheduledAt(text)?.date).toEqual(date);
      }),
    );
  });

  it('never throws', () => {
    const nearly = fc.string({ unit: fc.constantFrom(...'0123456789-:.TZtz+ '), maxLength: 40 });
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCodePoint }), nearly), (text) => {
        const parsed = parseScheduledAt(text);
        if (parsed !== null) expect(Number.isNaN(parsed.date.getTime())).toBe(false);
      }),
    );
  });
});
