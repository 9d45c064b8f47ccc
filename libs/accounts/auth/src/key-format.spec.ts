import { expectLinear } from '@heliograph/testing';
import fc from 'fast-check';
import { generateKey, hashKey, readKey } from './key-format';

describe('a generated key', () => {
  it('consists of the prefix, "live" and 40 base62 characters', () => {
    for (let i = 0; i < 200; i++) expect(generateKey('acme')).toMatch(/^acme_live_[0-9A-Za-z]{40}$/);
  });

  it('is unique', () => {
    expect(new Set(Array.from({ length: 2_000 }, () => generateKey('msg'))).size).toBe(2_000);
  });

  it('uses all characters with about the same frequency', () => {
    const counts = new Map<string, number>();
    for (let i = 0; i < 2_000; i++) {
      for (const character of generateKey('x').slice(7)) counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    const mean = (2_000 * 40) / 62;
    expect(counts.size).toBe(62);
    // The limit is more than six standard deviations from the mean.
    for (const count of counts.values()) expect(Math.abs(count - mean)).toBeLessThan(6.5 * Math.sqrt(mean));
  });
});

describe('the hash of a key', () => {
  it('is its SHA-256', () => {
    expect(hashKey('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});

describe('the key of a request', () => {
  const key = 'msg_live_abc';

  it.each([
    ['Authorization', { authorization: `Bearer ${key}` }],
    ['Authorization in lower case', { authorization: `bearer ${key}` }],
    ['Authorization with spaces', { authorization: `Bearer   ${key}  ` }],
    ['X-API-Key', { 'x-api-key': key }],
    ['X-API-Key with spaces', { 'x-api-key': ` ${key} ` }],
    ['both headers with the same key', { authorization: `Bearer ${key}`, 'x-api-key': key }],
  ])('is read from %s', (_what, headers) => expect(readKey(headers)).toBe(key));

  it.each([
    ['no header', {}],
    ['empty headers', { authorization: '', 'x-api-key': '' }],
    ['another scheme', { authorization: `Basic ${key}` }],
    ['no scheme', { authorization: key }],
    ['two keys in one header', { authorization: `Bearer ${key} ${key}` }],
    ['different keys in both headers', { authorization: `Bearer ${key}`, 'x-api-key': 'msg_live_other' }],
    ['both headers, one of them empty', { authorization: `Bearer ${key}`, 'x-api-key': '' }],
    ['both headers, one with another scheme', { authorization: 'Basic x', 'x-api-key': key }],
    ['a repeated X-API-Key', { 'x-api-key': [key, key] }],
    ['a key of 1,000 characters', { 'x-api-key': 'x'.repeat(1_000) }],
  ])('is null with %s', (_what, headers) => expect(readKey(headers)).toBeNull());

  it('is the key of one header or null for any headers, in a short time', () => {
    fc.assert(
      fc.property(
        fc.option(fc.string(), { nil: undefined }),
        fc.option(fc.string(), { nil: undefined }),
        (bearer, plain) => {
          const read = readKey({ authorization: bearer, 'x-api-key': plain });
          if (read === null) return;
          expect(read).not.toBe('');
          expect([bearer?.replace(/^bearer */i, '').trim(), plain?.trim()]).toContain(read);
        },
      ),
    );
    expectLinear(
      800_000,
      (length) => `Bearer ${' '.repeat(length)}x y`,
      (authorization) => readKey({ authorization }),
    );
  });
});
