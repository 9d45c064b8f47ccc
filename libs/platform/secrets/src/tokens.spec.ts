import { hashToken, randomBase62, readBearer } from './tokens';

describe('random letters and digits', () => {
  it('have the length, and use every character about equally often', () => {
    const counts = new Map<string, number>();
    for (let n = 0; n < 2_000; n++) {
      const text = randomBase62(43);
      expect(text).toHaveLength(43);
      for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    const expected = (2_000 * 43) / 62;
    expect([...counts.keys()].sort().join('')).toMatch(/^[0-9]{10}[A-Z]{26}[a-z]{26}$/);
    // The tolerance is seven standard deviations.
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(7 * Math.sqrt(expected));
  });
});

it('the hash of a token is its SHA-256', () => {
  expect(hashToken('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});

it.each([
  ['Bearer a-token', 'a-token'],
  ['bearer  a-token ', 'a-token'],
  [undefined, undefined],
  ['', null],
  ['Bearer ', null],
  ['Basic a-token', null],
  ['Bearer a token', null],
])('the credential of %j is %j', (header, credential) => {
  expect(readBearer(header)).toBe(credential);
});
