import { parseNumber } from './parse-number';

describe('parseNumber', () => {
  it.each([
    ['+919811111111', 'IN'],
    ['919811111111', 'IN'],
    [' 919811111111', 'IN'],
    ['+15878832288', 'CA'],
    ['+4915112345678', 'DE'],
  ])('parses %j as a number of %s', (raw, country) => {
    expect(parseNumber(raw)).toEqual({ e164: `+${raw.replace(/\D/g, '')}`, country });
  });

  it('accepts a number outside all numbering plans, without a country', () => {
    expect(parseNumber('+99999999999')).toEqual({ e164: '+99999999999', country: null });
  });

  it.each(['1234567', '999999999999999'])('accepts %j, which has the smallest or the largest length', (raw) => {
    expect(parseNumber(raw)).toMatchObject({ e164: `+${raw}` });
  });

  it.each([
    '',
    '+',
    '+0919811111111',
    '123456',
    '1234567890123456',
    '++919811111111',
    '+91 98111 11111',
    '+91-9811111111',
    'tel:+919811111111',
    '+٩١٩٨١١١١١١١١',
  ])('rejects %j', (raw) => {
    expect(parseNumber(raw)).toBeNull();
  });
});
