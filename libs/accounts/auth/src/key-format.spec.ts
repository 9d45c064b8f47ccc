import { expectLinear } from '@heliograph/testing';
import fc from 'fast-check';
import { generateKey, readKey } from './key-format';

describe('a generated key', () => {
  it('consists of the prefix, "live" and 40 base62 characters', () => {
    for (let i = 0; i < 200; i++) expect(generateKey('acme')).toMatch(/^acme_live_[0-9A-Za-z]{40}$/);
  });

  it('is unique', () => {
    expect(new Set(Array.from({ length: 2_000 }, () => generateKey('msg'))).size).toBe(2_000);
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
    ['an access token in X-API-Key', { 'x-api-key': `hat_${'x'.repeat(43)}` }],
    ['an access token in both headers', { authorization: 'Bearer hat_x', 'x-api-key': ' hat_x ' }],
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
