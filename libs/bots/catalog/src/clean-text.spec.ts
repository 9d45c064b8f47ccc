import fc from 'fast-check';
import { expectLinear } from '@heliograph/testing';
import { cleanAddress, cleanLine, cleanText } from './clean-text';

const UNSOUND = ['\0', '\t', '\n', '\u007f', '\u0085', '\u200b', '\u202e', '\u2028', '\ud83d'].map(
  (character) => `https://a.example/${character}x`,
);

describe('the sanitized text of an owner', () => {
  it.each([
    ['keeps plain text', 'We open at 9 & close at 5.', 'We open at 9 & close at 5.'],
    ['drops tags and keeps their text', 'Hello <b>you</b><img src=x onerror=alert(1)>!', 'Hello you!'],
    ['drops scripts with their content', 'a<script>alert(1)</script>b<style>p{}</style>c', 'abc'],
    ['keeps a comparison', 'if 3 < 5 and 7 > 6', 'if 3 < 5 and 7 > 6'],
    ['keeps comparisons without spaces', 'a<b && b>c, if (a<b) return', 'a<b && b>c, if (a<b) return'],
    ['keeps names in angle brackets', 'Use <Enter>, Array<string>', 'Use <Enter>, Array<string>'],
    ['keeps email addresses in angle brackets', 'Ann <ann@x.example>', 'Ann <ann@x.example>'],
    ['keeps links in angle brackets', '<https://ok.example/p>', 'https://ok.example/p'],
    ['drops unknown elements with attributes', '<xss onfocus=alert(1) tabindex=1>a</xss>', 'a</xss>'],
    ['drops custom elements', '<x-load>a</x-load>', 'a'],
    ['drops unclosed tags', 'a <img src=x onerror=alert(1) ', 'a'],
    ['drops SVG elements and keeps the text after them', 'Hi <svg onload=alert(1)> there', 'Hi  there'],
    ['keeps a heart emoticon', 'I <3 you', 'I <3 you'],
    ['converts paragraphs to lines', '<p>One</p><p>Two</p>', 'One\n\nTwo'],
    [
      'keeps a safe link',
      'See <a href="https://a.example/x?a=1&amp;b=2">our shop</a>',
      'See [our shop](https://a.example/x?a=1&b=2)',
    ],
    ['keeps only the text of an unsafe link', '<a href="javascript:alert(1)">click</a>', 'click'],
    ['keeps only the text of an unsafe Markdown link', '[click](javascript:alert(1)) now', 'click now'],
    ['keeps a safe Markdown link', '[shop](https://a.example/(x))', '[shop](https://a.example/(x))'],
    ['drops a tag within a tag', '<scr<script>ipt>alert(1)</scr</script>ipt>', ''],
    ['keeps character references', '&lt;b&gt; AT&amp;T', '&lt;b&gt; AT&amp;T'],
    ['drops control characters and bidirectional overrides', 'a\u0000b\u202ec\u0007d', 'abcd'],
    ['drops a link in a label', '[a [b] c](javascript:alert(1))', '[a [b] c]'],
    ['drops a link within a link', '[[x](javascript:1)](javascript:2)', '[x]'],
    ['is checked again after a link is dropped', 'a<[script>](javascript:1)alert(1)', 'a'],
    ['drops an unsafe link with a space before the URL', '[x]( javascript:alert(1))', 'x'],
    ['keeps lines', 'a\r\nb\rc\n\n\n\nd', 'a\nb\nc\n\nd'],
  ])('%s', (_name, written, cleaned) => {
    expect(cleanText(written)).toBe(cleaned);
  });

  it('does not change when it is sanitized again', () => {
    const fragments = fc.constantFrom(
      '<',
      '>',
      '<b>',
      '</b>',
      '<a href="https://x.example">',
      '</a>',
      '<scr',
      'ipt>',
      '[x](',
      'javascript:',
      ')',
      '&lt;',
      '\n',
      'word ',
      '"',
      '<!--',
      '-->',
      '<svg/onload=',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(fragments, fc.string()), { maxLength: 12 }), (parts) => {
        const once = cleanText(parts.join(''));
        expect(cleanText(once)).toBe(once);
      }),
    );
  });

  it.each([
    ['tags', (depth: number) => `${'<scr'.repeat(depth)}<script>${'ipt>'.repeat(depth)}`],
    ['links', (depth: number) => `${'['.repeat(depth)}x${'](javascript:1)'.repeat(depth)}`],
  ])('contains no %s at any nesting depth', (_name, nest) => {
    const cleaned = cleanText(nest(200));
    expect(cleaned).not.toMatch(/<script|\]\(/i);
    expect(cleanText(cleaned)).toBe(cleaned);
  });

  it.each([
    ['spaces in a line', ' '],
    ['opening brackets', '['],
    ['opening angle brackets', '<'],
    ['tags', '<b>'],
    ['unclosed links', '[a](b'],
    ['link targets', ']((a)'],
  ])('is computed in linear time for many %s', (_name, part) => {
    expectLinear(200_000, (size) => `x${part.repeat(Math.ceil(size / part.length))}x`, cleanText);
  });

  it('is one line if it is a single-line field', () => {
    expect(cleanLine(' Acme\n<b>Help</b>\t desk ')).toBe('Acme Help desk');
  });

  it.each([
    ['bidirectional controls', 'a\u202eb\u2066c\u2069d\u200fe', 'abcde'],
    ['invisible characters', 'A\u200bc\u00adm\u2060e\ufeff\u{e0041}\u200d', 'Acme'],
    ['invisible characters within a tag', '<scr\u200bipt>alert(1)</scr\u200bipt>Help', 'Help'],
    ['invisible characters within a link', '[x](java\u200bscript:alert(1))', 'x'],
    ['line separators and lone surrogates', 'a\u2028b\ud83d', 'a b\ufffd'],
  ])('has no %s if it is a single-line field', (_what, written, cleaned) => {
    expect(cleanLine(written)).toBe(cleaned);
    expect(cleanLine(cleaned)).toBe(cleaned);
  });

  it.each(['کتاب\u200cها', 'क्\u200dष', '👩\u200d💻', '营业时间。'])('keeps %j in a single-line field', (text) => {
    expect(cleanLine(text)).toBe(text);
  });

  it.each(['javascript:alert(1)', 'data:image/svg+xml,x', '//a.example/x', 'logo.png', '', 7, ...UNSOUND])(
    'is null for %j, which is not a sound web URL',
    (address) => {
      expect(cleanAddress(address)).toBeNull();
    },
  );
});
