import { expectLinear } from '@heliograph/testing';
import fc from 'fast-check';
import { checkEmailAddress, readEmailAddress } from './email-address';

describe('an email address', () => {
  it.each([
    ['ann@example.com', 'ann@example.com'],
    ['  Ann.Lee+news@Example.COM ', 'ann.lee+news@example.com'],
    ["o'brien@sub.example.co.uk", "o'brien@sub.example.co.uk"],
    ['jörg@exämple.example', 'jörg@exämple.example'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('normalizes %j to %j', (text, address) => {
    expect(readEmailAddress(text)).toBe(address);
  });

  it.each([
    '',
    'ann',
    '@example.com',
    'ann@',
    'ann@localhost',
    'ann@example..com',
    'ann@-example.com',
    'ann@example.com.',
    'Ann <ann@example.com>',
    'ann@example.com, bob@example.com',
    'ann@example.com;bob@example.com',
    '"a b"@example.com',
    'a b@example.com',
    'ann@[127.0.0.1]',
    'ann@exam ple.com',
    'ann@example.com\r\nBcc: bob@example.com',
    'ann\0@example.com',
    'ann\u202e@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'b.'.repeat(130)}com`,
  ])('is invalid if it is %j', (text) => {
    expect(readEmailAddress(text)).toBeNull();
    expect(() => checkEmailAddress(text)).toThrow(expect.objectContaining({ code: 'VALIDATION_ERROR' }) as Error);
  });

  it('is one line of limited length and is unchanged when parsed again, for any input', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.emailAddress(),
          fc.string().map((text) => `${text}@example.com`),
        ),
        (text) => {
          const address = readEmailAddress(text);
          if (address === null) return;
          expect(readEmailAddress(address)).toBe(address);
          expect(address.length).toBeLessThanOrEqual(254);
          expect(address).not.toMatch(/[\s,;<>"\p{C}]/u);
        },
      ),
    );
  });

  it('is checked in a short time, even for a very long text', () => {
    const texts = [
      (length: number) => `${'a.'.repeat(length / 2)}@x`,
      (length: number) => `a@${'a-'.repeat(length / 2)}`,
      (length: number) => '@'.repeat(length),
    ];
    for (const textOf of texts) {
      expectLinear(1_000_000, textOf, (text) => expect(readEmailAddress(text)).toBeNull());
    }
  });
});
