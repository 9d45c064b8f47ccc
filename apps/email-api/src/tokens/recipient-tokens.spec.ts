import { anyCodePoint } from '@heliograph/testing';
import fc from 'fast-check';
import type { RecipientRef } from '../events/recipient-event';
import { isTokenPath, MAX_CLICK_URL_BYTES, RecipientTokens } from './recipient-tokens';

const OLD = 'a secret of the past, retired';
const NEW = 'the secret that signs from now on';
const tokens = new RecipientTokens([NEW, OLD]);
const REF: RecipientRef = { messageId: '0198b2c0-7a11-7f3e-9c55-0123456789ab', position: 7 };

const refs = fc.record({ messageId: fc.uuid(), position: fc.integer({ min: 0, max: 65_535 }) });
const lastSegment = (path: string) => path.slice(path.lastIndexOf('/') + 1);

/** Returns the token without angle brackets, domain or file extension. */
const bare = (token: string) => token.replace(/^<|@.*|\.gif$/g, '');

/** Replaces the character at the given position. */
function alter(text: string, at: number): string {
  const other = text[at] === 'b' ? 'c' : 'b';
  return text.slice(0, at) + other + text.slice(at + 1);
}

/** Every kind of recipient token with the function that creates it and the function that reads it. */
const uses: [string, (of: RecipientTokens, ref: RecipientRef) => string, (token: string) => RecipientRef | null][] = [
  ['return path', (of, ref) => of.returnPathOf(ref), (token) => tokens.readReturnPath(token)],
  ['Message-ID', (of, ref) => of.messageIdOf(ref, 'acme.example'), (token) => tokens.readMessageId(token)],
  ['open', (of, ref) => lastSegment(of.openPath(ref)), (token) => tokens.readOpen(token)],
  ['unsubscribe', (of, ref) => lastSegment(of.unsubscribePath(ref)), (token) => tokens.readUnsubscribe(token)],
];

describe.each(uses)('the %s token', (use, make, read) => {
  it('identifies any recipient', () => {
    fc.assert(fc.property(refs, (ref) => expect(read(make(tokens, ref))).toEqual(ref)));
  });

  it('is valid while its secret is still accepted, and invalid with an unknown secret', () => {
    expect(read(make(new RecipientTokens([OLD]), REF))).toEqual(REF);
    expect(read(make(new RecipientTokens(['some secret of somebody else']), REF))).toBeNull();
  });

  it('is invalid with any character changed or removed', () => {
    const token = bare(make(tokens, REF));
    const [before, after] = make(tokens, REF).split(token) as [string, string];
    for (let at = 0; at < token.length; at++) {
      expect(read(before + alter(token, at) + after)).toBeNull();
      expect(read(before + token.slice(0, at) + token.slice(at + 1) + after)).toBeNull();
    }
  });

  it('is not valid for another purpose', () => {
    const [before, after] = make(tokens, REF).split(bare(make(tokens, REF))) as [string, string];
    for (const [other, makeOther] of uses) {
      const foreign = before + bare(makeOther(tokens, REF)) + after;
      expect([other, read(foreign)]).toEqual([other, other === use ? REF : null]);
    }
  });

  it('is not read from arbitrary text', () => {
    fc.assert(fc.property(fc.string({ unit: anyCodePoint, maxLength: 200 }), (text) => expect(read(text)).toBeNull()));
    expect(read('a'.repeat(1_000_000))).toBeNull();
  });
});

describe('the return path', () => {
  it('is a case-insensitive local part', () => {
    const localPart = tokens.returnPathOf({ ...REF, position: 65_535 });
    expect(localPart).toMatch(/^[a-z2-7]{48}$/);
    expect(tokens.readReturnPath(localPart.toUpperCase())).toEqual({ ...REF, position: 65_535 });
  });
});

describe('the Message-ID', () => {
  it('belongs to the domain of the sender, and is read with or without angle brackets', () => {
    const messageId = tokens.messageIdOf(REF, 'acme.example');
    expect(messageId).toMatch(/^<[a-z2-7]{48}@acme\.example>$/);
    expect(tokens.readMessageId(` ${messageId}\r\n`)).toEqual(REF);
    expect(tokens.readMessageId(messageId.slice(1, -1))).toEqual(REF);
  });
});

describe('tracking and unsubscribe links', () => {
  it('have URL-safe paths with known prefixes', () => {
    expect(tokens.openPath(REF)).toMatch(/^\/email\/t\/o\/[\w-]{40}\.gif$/);
    expect(tokens.clickPath(REF, tokens.clickTargetOf('https://acme.example/?a=1&b=ü'))).toMatch(
      /^\/email\/t\/c\/[\w-]+$/,
    );
    expect(tokens.unsubscribePath(REF)).toMatch(/^\/email\/u\/[\w-]{40}$/);
    for (const path of [
      tokens.openPath(REF),
      tokens.clickPath(REF, tokens.clickTargetOf('https://a')),
      tokens.unsubscribePath(REF),
    ]) {
      expect(isTokenPath(path)).toBe(true);
    }
    expect(isTokenPath('/email/u/news')).toBe(false);
  });

  it('can contain any URL up to the maximum length', () => {
    fc.assert(
      fc.property(refs, fc.string({ unit: 'grapheme', minLength: 1, maxLength: 200 }), (ref, url) => {
        expect(tokens.readClick(lastSegment(tokens.clickPath(ref, tokens.clickTargetOf(url))))).toEqual({
          ...ref,
          url,
        });
      }),
    );
    const longest = `https://acme.example/${'x'.repeat(MAX_CLICK_URL_BYTES)}`.slice(0, MAX_CLICK_URL_BYTES);
    expect(tokens.readClick(lastSegment(tokens.clickPath(REF, tokens.clickTargetOf(longest))))).toEqual({
      ...REF,
      url: longest,
    });
    expect(() => tokens.clickPath(REF, tokens.clickTargetOf(`${longest}x`))).toThrow(RangeError);
  });

  it('are invalid for another URL', () => {
    const token = lastSegment(tokens.clickPath(REF, tokens.clickTargetOf('https://acme.example/a')));
    for (let at = 0; at < token.length; at++) expect(tokens.readClick(alter(token, at))).toBeNull();
    expect(tokens.readClick(`${token}AA`)).toBeNull();
    expect(tokens.readClick(token.slice(0, -4))).toBeNull();
    expect(tokens.readClick('A'.repeat(1_000_000))).toBeNull();
  });

  it('are not valid for another purpose', () => {
    const click = lastSegment(tokens.clickPath(REF, tokens.clickTargetOf('x')));
    for (const path of [tokens.unsubscribePath(REF), tokens.openPath(REF)]) {
      const token = Buffer.from(bare(lastSegment(path)), 'base64url');
      expect(tokens.readClick(token.toString('base64url'))).toBeNull();
      expect(tokens.readClick(Buffer.concat([token, Buffer.from('x')]).toString('base64url'))).toBeNull();
    }
    expect(tokens.readClick(click)).toEqual({ ...REF, url: 'x' });
    expect(tokens.readUnsubscribe(click)).toBeNull();
  });

  it('are found in a List-Unsubscribe header', () => {
    const link = `https://track.example${tokens.unsubscribePath(REF)}`;
    expect(tokens.readUnsubscribeHeader(`<mailto:u@acme.example>, <${link}>`)).toEqual(REF);
    expect(tokens.readUnsubscribeHeader('<https://track.example/email/u/>')).toBeNull();
    expect(tokens.readUnsubscribeHeader('<mailto:u@acme.example>')).toBeNull();
  });
});

it('recipient tokens require one to five secrets of at least 16 characters', () => {
  expect(() => new RecipientTokens([])).toThrow('1 to 5 token secrets');
  expect(() => new RecipientTokens([NEW, 'short'])).toThrow('16 characters');
});

it('recipient tokens require a valid UUID and a valid position', () => {
  expect(() => tokens.returnPathOf({ ...REF, messageId: 'x' })).toThrow('not a UUID');
  expect(() => tokens.returnPathOf({ ...REF, position: 65_536 })).toThrow('out of range');
});
