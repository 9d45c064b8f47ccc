import { isClassZero, readText } from './message-text';

it.each([
  ['the default alphabet and its extension table', '0011241b651b3c417f', 0x00, '@_¤€[Aà'],
  ['the default alphabet of a flash message', '00111b65', 0xf0, '@_€'],
  ['8-bit data of message class 0', '0041ff', 0xf4, '0041ff'],
  ['a truncated escape sequence as U+FFFD', '411b', 0x10, 'A\ufffd'],
  ['UCS-2', '0041d83dde00', 0x08, 'A😀'],
  ['an unpaired surrogate as U+FFFD', '0041d83d', 0x18, 'A\ufffd'],
])('readText decodes %s', (_, octets, dataCoding, text) => {
  expect(readText(Buffer.from(octets, 'hex'), dataCoding)).toBe(text);
});

it('isClassZero recognizes message class 0 in both coding groups', () => {
  expect([0x00, 0x08, 0x10, 0x18, 0xf0, 0x11, 0xf1].filter(isClassZero)).toEqual([0x10, 0x18, 0xf0]);
});
