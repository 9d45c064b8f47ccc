import { isClassZero, readText } from './message-text';

describe('the text of a part', () => {
  it('reads the default alphabet and its extension table', () => {
    const octets = Buffer.from([0x00, 0x11, 0x24, 0x1b, 0x65, 0x1b, 0x3c, 0x41, 0x7f]);
    expect(readText(octets, 0x00)).toBe('@_¤€[Aà');
  });

  it('shows an escape that was cut off as U+FFFD', () => {
    expect(readText(Buffer.from([0x41, 0x1b]), 0x10)).toBe('A\ufffd');
  });

  it('reads UCS-2 and shows half a surrogate pair as U+FFFD', () => {
    expect(readText(Buffer.from('0041d83dde00', 'hex'), 0x08)).toBe('A😀');
    expect(readText(Buffer.from('0041d83d', 'hex'), 0x18)).toBe('A\ufffd');
  });

  it('knows message class 0 in both coding groups', () => {
    expect([0x00, 0x08, 0x10, 0x18, 0xf0, 0x11, 0xf1].map(isClassZero)).toEqual([
      false,
      false,
      true,
      true,
      true,
      false,
      false,
    ]);
  });
});
