import { randomBytes } from 'node:crypto';
import { KeyRing } from './key-ring';
import { SealedColumn } from './sealed-column';
import { localKeyRing, secretsConfigSchema } from './secrets.config';

const key = () => randomBytes(32).toString('base64');
const ring = (text: string) => KeyRing.parse(text, 'SECRETS_KEYS')!;
const one = `k1:${key()}`;
const two = `k2:${key()}`;

describe('a key ring', () => {
  it('decrypts its own values, with the current key and with older keys', () => {
    const old = ring(one).seal('secret', 'place');
    expect(old).toMatch(/^k1\.[\w-]+$/);
    expect(old).not.toContain('secret');
    const rotated = ring(`${two}, ${one}`);
    expect(rotated.open(old, 'place')).toBe('secret');
    const fresh = rotated.seal('sécret 🔑', 'place');
    expect(fresh).toMatch(/^k2\./);
    expect(rotated.open(fresh, 'place')).toBe('sécret 🔑');
    expect(() => ring(one).open(fresh, 'place')).toThrow('SECRETS_KEYS has no key "k2"');
  });

  it('encrypts a text differently each time', () => {
    const keys = ring(one);
    expect(keys.seal('secret', 'place')).not.toBe(keys.seal('secret', 'place'));
  });

  it('rejects values that were modified, truncated, or encrypted for another context', () => {
    const keys = ring(one);
    const sealed = keys.seal('secret', 'place');
    const changed = sealed.slice(0, 20) + (sealed[20] === 'A' ? 'B' : 'A') + sealed.slice(21);
    for (const text of [changed, sealed.slice(0, -4), `k1.${'A'.repeat(20)}`, 'plain', '']) {
      expect(() => keys.open(text, 'place')).toThrow();
    }
    expect(() => keys.open(sealed, 'other place')).toThrow();
  });

  it.each(['', 'k1', 'k1:', `k1:${randomBytes(31).toString('base64')}`, `${one},${one}`, `${one},`, `a b:${key()}`])(
    'cannot be parsed from %j',
    (text) => expect(KeyRing.parse(text, 'SECRETS_KEYS')).toBeNull(),
  );
});

describe('a derived key ring', () => {
  const derive = (secrets: string[], purpose = 'purpose') => KeyRing.derive(secrets, purpose, 'HASH_KEYS')!;

  it('decrypts values of a ring with the same secrets in any order', () => {
    const sealed = derive(['one', 'two']).seal('secret', 'place');
    expect(derive(['two', 'one']).open(sealed, 'place')).toBe('secret');
    expect(sealed).not.toContain('one');
  });

  it('rejects values of other secrets or another purpose, and names the variable', () => {
    const sealed = derive(['one']).seal('secret', 'place');
    expect(() => derive(['two']).open(sealed, 'place')).toThrow(/^HASH_KEYS has no key/);
    expect(() => derive(['one'], 'other').open(sealed, 'place')).toThrow(/^HASH_KEYS has no key/);
    expect(KeyRing.derive([], 'purpose', 'HASH_KEYS')).toBeNull();
  });
});

describe('a sealed column', () => {
  const secret = new SealedColumn('users.users', 'totp_secret');

  it('decrypts a value only in its own row and column', () => {
    const keys = localKeyRing();
    const sealed = secret.seal(keys, 'row 1', 'value');
    expect(secret.open(keys, 'row 1', sealed)).toBe('value');
    expect(() => secret.open(keys, 'row 2', sealed)).toThrow();
    expect(() => new SealedColumn('users.users', 'other').open(keys, 'row 1', sealed)).toThrow();
  });
});

describe('SECRETS_KEYS', () => {
  it('has an error message that explains its format', () => {
    const { error } = secretsConfigSchema.safeParse({ SECRETS_KEYS: 'secret' });
    expect(error?.issues[0]?.message).toContain('base64 of 32 bytes');
  });
});
