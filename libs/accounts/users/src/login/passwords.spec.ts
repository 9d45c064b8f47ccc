import { hash } from '@node-rs/argon2';
import { checkNewPassword, hashNewPassword, hashPassword, MAX_PASSWORD_LENGTH, verifyPassword } from './passwords';

describe('a password', () => {
  it('is stored as argon2id with the required cost and a unique salt', async () => {
    const [one, other] = [await hashPassword('correct horse'), await hashPassword('correct horse')];
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
  });

  it('is verified only by the same password', async () => {
    const stored = await hashPassword('correct horse');
    expect(await verifyPassword(stored, 'correct horse')).toBe(true);
    for (const wrong of ['correct horse ', 'Correct horse', '', 'x'])
      expect(await verifyPassword(stored, wrong)).toBe(false);
  });

  it('is verified if it was hashed with different parameters, because the stored hash contains them', async () => {
    const stored = await hash('correct horse', { memoryCost: 8_192, timeCost: 1, parallelism: 1 });
    expect(await verifyPassword(stored, 'correct horse')).toBe(true);
  });

  it('is the same in composed and decomposed Unicode forms', async () => {
    expect(await verifyPassword(await hashPassword('schöne Grüße'), 'scho\u0308ne Gru\u0308ße')).toBe(true);
  });

  it('is never valid for an unknown user, not even the password of the dummy hash', async () => {
    for (const password of ['', 'password', 'nobody']) expect(await verifyPassword(null, password)).toBe(false);
  });

  it('waits in a queue if many passwords are hashed concurrently', async () => {
    const stored = await hashPassword('correct horse');
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => verifyPassword(stored, i % 2 ? 'correct horse' : 'wrong')),
    );
    expect(answers).toEqual(Array.from({ length: 20 }, (_, i) => i % 2 === 1));
  });

  it.each([
    ['short', 'must have at least 8 characters'],
    ['x'.repeat(MAX_PASSWORD_LENGTH + 1), 'must have at most 1024 characters'],
    ['abcabcabcabc', 'is too easy to guess'],
    ['Ann@Example.com', 'is too easy to guess'],
    ['long enough\0', 'must be valid text'],
    ['long enough\ud800', 'must be valid text'],
  ])('is rejected when it is %j', async (password, reason) => {
    const refusal = { code: 'VALIDATION_ERROR', message: expect.stringContaining(`newPassword: ${reason}`) as string };
    const choose = () => checkNewPassword(password, 'ann@example.com', 'newPassword');
    expect(choose).toThrow(expect.objectContaining(refusal) as Error);
    await expect(hashNewPassword(password, 'ann@example.com', 'newPassword')).rejects.toMatchObject(refusal);
  });

  it.each(['eight ch', 'correct horse battery staple', '🐎🔋🧷📎', `abcd${'x'.repeat(MAX_PASSWORD_LENGTH - 4)}`])(
    'is accepted when it is %j',
    (password) => {
      expect(() => checkNewPassword(password, 'ann@example.com')).not.toThrow();
    },
  );
});
