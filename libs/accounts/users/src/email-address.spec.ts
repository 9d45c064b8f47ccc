import { addressKey, readEmailAddress } from '@heliograph/addresses';
import fc from 'fast-check';
import { checkUserAddress, readUserAddress } from './email-address';

describe('the email address of a user', () => {
  it.each([
    ['ann@example.com', 'ann@example.com'],
    ['  Ann.Lee+news@Example.COM ', 'ann.lee+news@example.com'],
    ['Ann@EXÄMPLE.example', 'ann@xn--exmple-cua.example'],
  ])('normalizes %j to %j', (text, address) => {
    expect(readUserAddress(text)).toBe(address);
    expect(checkUserAddress(text)).toBe(address);
  });

  it.each([
    ['no address', 'ann'],
    ['a list', 'ann@example.com, bob@example.com'],
    ['a non-ASCII local part, to which system mail is not delivered', 'jörg@example.com'],
    ['two consecutive dots, which system mail does not accept', 'a..b@example.org'],
  ])('is invalid if it is %s', (_what, text) => {
    expect(readUserAddress(text)).toBeNull();
    expect(() => checkUserAddress(text)).toThrow(
      expect.objectContaining({
        code: 'VALIDATION_ERROR',
        message: 'email: must be a single email address, such as ann@example.com.',
      }) as Error,
    );
  });

  it('is accepted by system mail and unchanged when parsed again, for any input', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.emailAddress(),
      fc.string().map((text) => `${text}@example.com`),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const address = readUserAddress(text);
        if (address === null) return;
        expect(readUserAddress(address)).toBe(address);
        expect(addressKey(readEmailAddress(address) ?? '')).toBe(address);
      }),
    );
  });
});
