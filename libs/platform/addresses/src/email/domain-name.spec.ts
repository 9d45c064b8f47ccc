import { anyCodePoint } from '@heliograph/testing';
import fc from 'fast-check';
import { readDomainName } from './domain-name';

describe('a domain name', () => {
  it.each([
    ['example.com', 'example.com'],
    ['Mail.EXAMPLE.com', 'mail.example.com'],
    ['a-b--c.example', 'a-b--c.example'],
    ['1.2.example', '1.2.example'],
    ['exämple.com', 'xn--exmple-cua.com'],
    ['EXÄMPLE.com', 'xn--exmple-cua.com'],
    ['exa\u0308mple.com', 'xn--exmple-cua.com'],
    ['xn--exmple-cua.com', 'xn--exmple-cua.com'],
    ['straße.example', 'xn--strae-oqa.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['उदाहरण.भारत', 'xn--p1b6ci4b4b3a.xn--h2brj9c'],
    ['ｅｘａｍｐｌｅ.com', 'example.com'],
    [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
  ])('normalizes %j to %j', (text, name) => expect(readDomainName(text)).toBe(name));

  it.each([
    ['an empty text', ''],
    ['a single label', 'localhost'],
    ['a top-level domain with a dot', '.com'],
    ['a trailing dot', 'example.com.'],
    ['two consecutive dots', 'example..com'],
    ['a hyphen at the start of a label', '-a.example'],
    ['a hyphen at the end of a label', 'a-.example'],
    ['an underscore', '_dmarc.example.com'],
    ['a space', 'exam ple.com'],
    ['a leading space', ' example.com'],
    ['a trailing line break', 'example.com\n'],
    ['a port', 'example.com:25'],
    ['a path', 'example.com/x'],
    ['a local part', 'ann@example.com'],
    ['a scheme', 'https://example.com'],
    ['percent encoding', 'ex%61mple.com'],
    ['an IPv4 address', '127.0.0.1'],
    ['an IPv4 address in full-width digits', '１２７.0.0.1'],
    ['a short IPv4 address', '127.1'],
    ['a hexadecimal IPv4 address', '0x7f.0x1'],
    ['an IPv6 address', '[::1]'],
    ['a number as the top-level domain', 'example.1'],
    ['a wildcard', '*.example.com'],
    ['a label of 64 characters', `${'a'.repeat(64)}.com`],
    ['an A-label of more than 63 characters', `${'ä'.repeat(61)}.com`],
    ['254 characters', `${'a.'.repeat(125)}comm`],
    ['an A-label that decodes to an empty text', 'xn--.com'],
    ['an invalid A-label', 'xn--zzzzzzzz9999999.com'],
    ['a zero-width space', 'exam\u200bple.com'],
    ['a soft hyphen', 'exam\u00adple.com'],
    ['a bidirectional control character', 'exam\u202eple.com'],
    ['NUL', 'example\0.com'],
    ['an unpaired surrogate', 'example\ud800.com'],
    ['a look-alike of the slash', 'example.com\u2044x.org'],
    ['the account-of sign', '℀.com'],
  ])('cannot be %s', (_what, text) => expect(readDomainName(text)).toBeNull());

  it('consists of letter-digit-hyphen labels and is unchanged when parsed again, for any input', () => {
    const anything = fc.oneof(
      fc.string({ unit: anyCodePoint, maxLength: 40 }).map((text) => `${text}.com`),
      fc.string({ unit: fc.constantFrom(...'a0-.äxn例０。%/:@'), maxLength: 30 }),
      fc.domain(),
    );
    fc.assert(
      fc.property(anything, (text) => {
        const name = readDomainName(text);
        if (name === null) return;
        expect(name).toMatch(/^(?:[a-z0-9-]{1,63}\.)+[a-z0-9-]{1,63}$/);
        expect(name.length).toBeLessThanOrEqual(253);
        expect(readDomainName(name)).toBe(name);
      }),
      { numRuns: 1000 },
    );
  });

  it('accepts every name that the standards allow', () => {
    fc.assert(fc.property(fc.domain(), (name) => expect(readDomainName(name)).toBe(name.toLowerCase())));
  });
});
