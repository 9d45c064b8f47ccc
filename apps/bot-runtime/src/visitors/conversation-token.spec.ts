import { newConversationToken, readConversationToken } from './conversation-token';

describe('conversation tokens', () => {
  it('are bcs_ and 43 base62 characters, and unique', () => {
    const tokens = Array.from({ length: 1_000 }, () => newConversationToken());
    for (const token of tokens) expect(token).toMatch(/^bcs_[0-9A-Za-z]{43}$/);
    expect(new Set(tokens).size).toBe(1_000);
  });

  it('are accepted only in a Bearer header', () => {
    const token = newConversationToken();
    expect(readConversationToken(`Bearer ${token}`)).toBe(token);
    expect(readConversationToken(`bearer  ${token} `)).toBe(token);
    for (const header of [undefined, '', token, `Basic ${token}`, `Bearer ${token} x`, `Bearer ${token}x`, 'Bearer ']) {
      expect(readConversationToken(header)).toBeNull();
    }
  });
});
