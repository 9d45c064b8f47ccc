import { hashToken, newToken, readToken } from './conversation-token';

describe('conversation tokens', () => {
  it('are bcs_ and 43 base62 characters, and unique', () => {
    const tokens = Array.from({ length: 1_000 }, () => newToken());
    for (const token of tokens) expect(token).toMatch(/^bcs_[0-9A-Za-z]{43}$/);
    expect(new Set(tokens).size).toBe(1_000);
  });

  it('use every character about equally often', () => {
    const counts = new Map<string, number>();
    for (let n = 0; n < 2_000; n++) {
      for (const character of newToken().slice(4)) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    const expected = (2_000 * 43) / 62;
    expect(counts.size).toBe(62);
    // The tolerance is seven standard deviations.
    for (const count of counts.values()) expect(Math.abs(count - expected)).toBeLessThan(7 * Math.sqrt(expected));
  });

  it('are accepted only in a Bearer header', () => {
    const token = newToken();
    expect(readToken(`Bearer ${token}`)).toBe(token);
    expect(readToken(`bearer  ${token} `)).toBe(token);
    for (const header of [undefined, '', token, `Basic ${token}`, `Bearer ${token} x`, `Bearer ${token}x`, 'Bearer ']) {
      expect(readToken(header)).toBeNull();
    }
  });

  it('are stored as a SHA-256 hash', () => {
    expect(hashToken('bcs_a').toString('hex')).toHaveLength(64);
  });
});
