import { formatUserCode, newUserCode, readUserCode } from './user-code';

describe('the code that a person compares', () => {
  it('has eight letters that look like no other, and differs each time', () => {
    const codes = Array.from({ length: 200 }, newUserCode);
    for (const code of codes) expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
    expect(new Set(codes).size).toBe(200);
  });

  it('is read in any spelling', () => {
    const code = newUserCode();
    const shown = formatUserCode(code);
    expect(shown).toMatch(/^[A-Z]{4}-[A-Z]{4}$/);
    for (const typed of [shown, code, shown.toLowerCase(), ` ${shown.replace('-', ' ')} `])
      expect(readUserCode(typed)).toBe(code);
  });

  it.each(['', 'WDJB', 'WDJB-MJHA', 'WDJB-MJH1', 'WDJB-MJHTT', 'WDJB_MJHT', 'WDJB-MJHſ'])('is not %j', (text) => {
    expect(readUserCode(text)).toBeNull();
  });
});
