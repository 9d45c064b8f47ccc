import { hash } from '@node-rs/argon2';
import { checkNewPassword, hashNewPassword, hashPassword, MAX_PASSWORD_LENGTH, verifyPassword } from './passwords';

describe('a password', () => {
  it('is stored as argon2id with the required cost and a unique salt', async () => {
    const one = await hashPassword('correct horse');
    const other = await hashPassword('correct horse');
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
    ['Ann@Example.com', 'must not be the email address'],
    ['ann@example.com1!', 'must not be the email address'],
    ['acme söhne 2024', 'must not be the email address'],
    ['99ACMESöhne', 'must not be the email address'],
    ['long enough\0', 'must be valid text'],
    ['long enough\ud800', 'must be valid text'],
  ])('is rejected when it is %j', async (password, reason) => {
    const refusal = { code: 'VALIDATION_ERROR', message: expect.stringContaining(`newPassword: ${reason}`) as string };
    const words = ['ann@example.com', 'Acme Söhne'];
    const choose = () => checkNewPassword(password, words, 'newPassword');
    expect(choose).toThrow(expect.objectContaining(refusal) as Error);
    await expect(hashNewPassword(password, words, 'newPassword')).rejects.toMatchObject(refusal);
  });

  it.each([
    'iloveyou',
    'iloveyou1',
    'ILoveYou2024!',
    '123Dragon',
    'passwordpassword',
    'P@ssw0rd1',
    '12345678910',
    'qwerty!!!!',
  ])('is rejected when it is the common password or variant %j', async (password) => {
    await expect(hashNewPassword(password, [])).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'password: is one of the most common passwords, or a variant of one. Choose another password.',
    });
  });

  it.each(['dragon of the hill', 'iloveyou and the rest', 'dragon83619274', 'kfe82jd9'])(
    'is accepted when it only contains a common password: %j',
    async (password) => {
      await expect(hashNewPassword(password, ['ann@example.com'])).resolves.toMatch(/^\$argon2id/);
    },
  );

  it.each(['eight ch', 'correct horse battery staple', '🐎🔋🧷📎', `abcd${'x'.repeat(MAX_PASSWORD_LENGTH - 4)}`])(
    'is accepted when it is %j',
    (password) => {
      expect(() => checkNewPassword(password, ['ann@example.com', 'Ann'])).not.toThrow();
    },
  );
});
