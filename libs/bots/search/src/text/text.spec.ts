import { anyCodePoint, expectLinear } from '@heliograph/testing';
import fc from 'fast-check';
import { languageOf } from './language';
import { fold, normalize } from './normalize';
import { allowedSlips, isCorrectable, slipsBetween, spellingKeys } from './spelling';
import { wordsOf } from './words';

const words = (text: string, locale = 'en') => wordsOf(text, languageOf(locale));

describe('the language of a locale', () => {
  it.each([
    ['en-IN', 'english_stem'],
    ['pt_BR', 'portuguese_stem'],
    ['DE', 'german_stem'],
    ['nb-NO', 'norwegian_stem'],
    ['zh-Hans', null],
    ['', null],
    ['constructor', null],
  ])('%s is stemmed by %s', (locale, dictionary) => {
    expect(languageOf(locale).dictionary).toBe(dictionary);
  });
});

describe('the words of a text', () => {
  it.each([
    ['en', 'What’s  MY e-mail?', ['what', 'my', 'email']],
    ['en', "I can't, don't and wont", ['i', 'can', 'not', 'do', 'not', 'and', 'will', 'not']],
    ['en', 'pleeeease wait 1,000 days', ['please', 'wait', '1000', 'days']],
    ['fr', "Qu'est-ce que l'abonnement ?", ['est', 'ce', 'que', 'abonnement']],
    ['de', 'Wie lade ich mein Guthaben auf?', ['wie', 'auflade', 'ich', 'mein', 'guthaben']],
    ['de', 'Ich ziehe um. Was nun?', ['ich', 'umziehe', 'was', 'nun']],
    ['ja', '料金はいくら', ['料金', 'は', 'いくら']],
    ['en', 'a\u200Bb c\u00ADd', ['ab', 'cd']],
  ])('in %s: %s', (locale, text, expected) => {
    expect(words(text, locale)).toEqual(expected);
  });

  it('contain only letters, marks and digits, and have a limited length', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: anyCodePoint, maxLength: 200 }),
        fc.constantFrom('en', 'fr', 'de', 'th'),
        (text, locale) => {
          for (const word of words(text, locale)) {
            expect(word).toMatch(/^[\p{L}\p{M}\p{N}]+$/u);
            expect(word.length).toBeLessThanOrEqual(48);
          }
        },
      ),
    );
  });

  it('are parsed in linear time', () => {
    for (const piece of ['a', "a'", 'a-', '1,', 'ab cd. ', '密', 'क्', '\u0301', '👋']) {
      for (const locale of ['en', 'de', 'fr']) {
        expectLinear(
          40_000,
          (size) => piece.repeat(size / piece.length),
          (text) => words(text, locale),
        );
      }
    }
  });

  it('lose their accents when folded, but not the vowel signs of Devanagari', () => {
    expect(fold(normalize('ÉÀßŁ'))).toBe('eassl');
    expect(fold(normalize('ज़्यादा'))).toBe(fold(normalize('ज्यादा')));
    expect(fold(normalize('कीमत'))).not.toBe(fold(normalize('कमत')));
  });
});

describe('spelling correction', () => {
  it.each([
    ['order', 'oder', 1],
    ['order', 'roder', 1],
    ['cancel', 'cancle', 1],
    ['accommodation', 'acomodation', 2],
    ['order', 'offer', 2],
    ['order', 'delivery', 3],
  ])('measures between %s and %s the distance %i', (a, b, slips) => {
    expect(slipsBetween(a, b, 2)).toBe(slips);
    expect(slipsBetween(b, a, 2)).toBe(slips);
  });

  it('finds a common key for words that differ by one mistake', () => {
    const word = fc.stringMatching(/^[a-f]{4,14}$/);
    fc.assert(
      fc.property(word, fc.nat(20), fc.constantFrom('leave out', 'put in', 'replace', 'swap'), (meant, place, slip) => {
        const at = place % (meant.length - 1);
        const before = meant.slice(0, at);
        const letter = meant.charAt(at);
        const after = meant.slice(at + 1);
        const typed = {
          'leave out': before + after,
          'put in': `${before}x${letter}${after}`,
          replace: `${before}x${after}`,
          swap: before + after.charAt(0) + letter + after.slice(1),
        }[slip];
        const keys = new Set(spellingKeys(meant, 'bot'));
        expect(spellingKeys(typed, 'bot').some((key) => keys.has(key))).toBe(true);
      }),
    );
  });

  it('uses separate keys for each bot', () => {
    const keys = new Set(spellingKeys('subscription', 'one'));
    expect(spellingKeys('subscription', 'other').filter((key) => keys.has(key))).toEqual([]);
  });

  it('ignores short words, numbers and codes, and allows two mistakes only in long words', () => {
    expect(['fee', 'e1042', '2024', '密码密码', 'x'.repeat(30)].filter(isCorrectable)).toEqual([]);
    expect([allowedSlips('order', 'odrer'), allowedSlips('delivrey', 'delivery')]).toEqual([1, 2]);
  });
});
