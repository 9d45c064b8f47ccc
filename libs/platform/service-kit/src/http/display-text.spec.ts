import { isDisplayText } from './rules';

describe('a name that others see', () => {
  it.each([
    'Ann Smith',
    "O'Brien & Söhne, Inc. (1990)",
    'किताब',
    'क्\u200dष',
    'می\u200cخواهم',
    '株式会社テスト',
    'مرحبا',
    '👨\u200d👩\u200d👧\u200d👦 family',
    '❤\ufe0f\u200d🔥',
    '👩🏽\u200d💻',
  ])('can be %j', (name) => expect(isDisplayText(name)).toBe(true));

  it.each([
    ['a right-to-left override', 'invoice\u202egpj.exe'],
    ['an isolate', 'Ann\u2066Bob'],
    ['a left-to-right mark', 'Ann\u200e'],
    ['an Arabic letter mark', 'Ann\u061c'],
    ['a zero-width space', 'Pay\u200bPal'],
    ['a word joiner', 'Pay\u2060Pal'],
    ['a byte order mark', '\ufeffPayPal'],
    ['a soft hyphen', 'Pay\u00adPal'],
    ['a joiner between Latin letters', 'Pay\u200dPal'],
    ['a non-joiner at the start', '\u200cPayPal'],
    ['a tag character', 'PayPal\u{e0041}'],
    ['a Hangul filler', 'Pay\u3164Pal'],
    ['an ideographic full stop', 'paypal\u3002com'],
    ['a full-width full stop', 'paypal\uff0ecom'],
    ['a half-width full stop', 'paypal\uff61com'],
    ['a one dot leader', 'paypal\u2024com'],
    ['a line separator', 'Ann\u2028Bob'],
    ['a line break', 'Ann\nBob'],
    ['NUL', 'Ann\0'],
    ['a lone surrogate', 'Ann\ud800'],
  ])('cannot contain %s', (_what, name) => expect(isDisplayText(name)).toBe(false));
});
