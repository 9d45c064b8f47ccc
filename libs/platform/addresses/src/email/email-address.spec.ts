import { anyCodePoint, expectLinear } from '@heliograph/testing';
import fc from 'fast-check';
import { addressKey, emailDomainOf, readEmailAddress } from './email-address';

describe('an email address', () => {
  it.each([
    ['ann@example.com', 'ann@example.com'],
    ['Ann.Lee+news@Example.COM', 'Ann.Lee+news@example.com'],
    ["o'brien@sub.example.co.uk", "o'brien@sub.example.co.uk"],
    ['ann@exämple.example', 'ann@xn--exmple-cua.example'],
    ['!#$%&*+/=?^_`{|}~-@example.com', '!#$%&*+/=?^_`{|}~-@example.com'],
    ['1@2.example', '1@2.example'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('normalizes %j to %j', (text, address) => expect(readEmailAddress(text)).toBe(address));

  it.each([
    ['an empty text', ''],
    ['no at sign', 'ann'],
    ['no local part', '@example.com'],
    ['no domain', 'ann@'],
    ['a single label', 'ann@localhost'],
    ['two at signs', 'ann@example.org@example.com'],
    ['a source route', '@example.org:ann@example.com'],
    ['a percent-encoded route', 'ann@example.org%example.com'],
    ['a display name', 'Ann <ann@example.com>'],
    ['angle brackets', '<ann@example.com>'],
    ['a list', 'ann@example.com,bob@example.com'],
    ['a list with semicolons', 'ann@example.com;bob@example.com'],
    ['a group', 'all:ann@example.com;'],
    ['a comment', 'ann(work)@example.com'],
    ['a quoted local part', '"a b"@example.com'],
    ['a quoted local part with an address in it', '"ann@example.org"@example.com'],
    ['a space inside', 'a b@example.com'],
    ['a leading space', ' ann@example.com'],
    ['a trailing space', 'ann@example.com '],
    ['a leading dot', '.ann@example.com'],
    ['a dot at the end of the local part', 'ann.@example.com'],
    ['two consecutive dots', 'ann..lee@example.com'],
    ['a backslash', 'ann\\lee@example.com'],
    ['an IP literal', 'ann@[127.0.0.1]'],
    ['an IPv6 literal', 'ann@[IPv6:::1]'],
    ['a bare IP address', 'ann@127.0.0.1'],
    ['an injected header', 'ann@example.com\r\nBcc: bob@example.com'],
    ['an injected header in the local part', 'ann\r\nBcc: x@example.com'],
    ['a trailing line feed', 'ann@example.com\n'],
    ['NUL', 'ann\0@example.com'],
    ['DEL', 'ann\x7f@example.com'],
    ['a bidirectional control character', 'ann\u202e@example.com'],
    ['a zero-width space', 'ann\u200b@example.com'],
    ['a non-ASCII local part', 'jörg@example.com'],
    ['a local part with look-alike letters', 'аnn@example.com'],
    ['a local part of 65 characters', `${'a'.repeat(65)}@example.com`],
    ['255 characters', `${'a'.repeat(64)}@${'b.'.repeat(93)}comm`],
    ['255 characters after conversion to A-labels', `${'a'.repeat(64)}@${'äbcdefghij.'.repeat(11)}example`],
  ])('is rejected: %s', (_what, text) => expect(readEmailAddress(text)).toBeNull());

  it('is one line of limited length and is unchanged when parsed again, for any input', () => {
    const anything = fc.oneof(
      fc.string({ unit: anyCodePoint }),
      fc.string({ unit: anyCodePoint, maxLength: 20 }).map((text) => `${text}@example.com`),
      fc.string({ unit: anyCodePoint, maxLength: 20 }).map((text) => `ann@${text}.com`),
      fc.emailAddress(),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const address = readEmailAddress(text);
        if (address === null) return;
        expect(readEmailAddress(address)).toBe(address);
        expect(address).toMatch(/^[\x21-\x7e]{1,64}@[a-z0-9.-]+$/);
        expect(address).not.toMatch(/[,;:<>()[\]"\\]/);
        expect(address.length).toBeLessThanOrEqual(254);
        expect(address.slice(0, address.indexOf('@'))).toBe(text.slice(0, text.indexOf('@')));
      }),
      { numRuns: 1000 },
    );
  });

  it('is accepted if the standards allow it', () => {
    fc.assert(fc.property(fc.emailAddress(), (address) => expect(readEmailAddress(address)).not.toBeNull()));
  });

  it('is checked in a short time, even for a very long text', () => {
    const texts = [
      (length: number) => 'a'.repeat(length),
      (length: number) => `${'a.'.repeat(length / 2)}@x.example`,
      (length: number) => `a@${'a-'.repeat(length / 2)}`,
      (length: number) => '@'.repeat(length),
    ];
    for (const textOf of texts) {
      expectLinear(1_000_000, textOf, (text) => expect(readEmailAddress(text)).toBeNull());
    }
  });

  it('has the same key in upper and lower case', () => {
    const keys = ['Ann@Example.com', 'aNN@exAmple.COM'].map((text) => addressKey(readEmailAddress(text) ?? ''));
    expect(keys).toEqual(['ann@example.com', 'ann@example.com']);
  });

  it('has a domain', () => {
    expect(emailDomainOf('ann@mail.example.com')).toBe('mail.example.com');
  });
});
