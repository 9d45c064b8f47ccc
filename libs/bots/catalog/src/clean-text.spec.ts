import fc from 'fast-check';
import { expectLinear } from '@heliograph/testing';
import { cleanAddress, cleanLine, cleanText } from './clean-text';

describe('cleaning the text of an owner', () => {
  it.each([
    ['plain words stay', 'We open at 9 & close at 5.', 'We open at 9 & close at 5.'],
    ['markup goes, its words stay', 'Hello <b>you</b><img src=x onerror=alert(1)>!', 'Hello you!'],
    ['scripts go with what is in them', 'a<script>alert(1)</script>b<style>p{}</style>c', 'abc'],
    ['a comparison is no markup', 'if 3 < 5 and 7 > 6', 'if 3 < 5 and 7 > 6'],
    ['comparisons without blanks are no markup', 'a<b && b>c, if (a<b) return', 'a<b && b>c, if (a<b) return'],
    ['names in angle brackets are no markup', 'Use <Enter>, Array<string>', 'Use <Enter>, Array<string>'],
    ['mail addresses in angle brackets stay', 'Ann <ann@x.example>', 'Ann <ann@x.example>'],
    ['links in angle brackets stay links', '<https://ok.example/p>', 'https://ok.example/p'],
    ['elements of nobody go when they carry something', '<xss onfocus=alert(1) tabindex=1>a</xss>', 'a</xss>'],
    ['elements of one’s own making go', '<x-load>a</x-load>', 'a'],
    ['tags that are never closed go', 'a <img src=x onerror=alert(1) ', 'a'],
    ['drawings go, and what stands behind them stays', 'Hi <svg onload=alert(1)> there', 'Hi  there'],
    ['a heart is no markup', 'I <3 you', 'I <3 you'],
    ['paragraphs become lines', '<p>One</p><p>Two</p>', 'One\n\nTwo'],
    [
      'a safe link stays one',
      'See <a href="https://a.example/x?a=1&amp;b=2">our shop</a>',
      'See [our shop](https://a.example/x?a=1&b=2)',
    ],
    ['an unsafe link keeps its words', '<a href="javascript:alert(1)">click</a>', 'click'],
    ['an unsafe markdown link keeps its words', '[click](javascript:alert(1)) now', 'click now'],
    ['a safe markdown link stays', '[shop](https://a.example/(x))', '[shop](https://a.example/(x))'],
    ['a tag in a tag does not come through', '<scr<script>ipt>alert(1)</scr</script>ipt>', ''],
    ['entities stay what they are', '&lt;b&gt; AT&amp;T', '&lt;b&gt; AT&amp;T'],
    ['control and override characters go', 'a\u0000b\u202ec\u0007d', 'abcd'],
    ['a link cannot hide in a label', '[a [b] c](javascript:alert(1))', '[a [b] c]'],
    ['a link in a link does not come through', '[[x](javascript:1)](javascript:2)', '[x]'],
    ['what a link leaves behind is looked at again', 'a<[script>](javascript:1)alert(1)', 'a'],
    ['a blank before the address hides nothing', '[x]( javascript:alert(1))', 'x'],
    ['lines stay lines', 'a\r\nb\rc\n\n\n\nd', 'a\nb\nc\n\nd'],
  ])('%s', (_name, written, cleaned) => {
    expect(cleanText(written)).toBe(cleaned);
  });

  it('leaves alone what it has cleaned', () => {
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
  ])('lets no %s through, however deep they are nested', (_name, nest) => {
    const cleaned = cleanText(nest(200));
    expect(cleaned).not.toMatch(/<script|\]\(/i);
    expect(cleanText(cleaned)).toBe(cleaned);
  });

  it.each([
    ['blanks in a line', ' '],
    ['opening brackets', '['],
    ['opening angles', '<'],
    ['tags', '<b>'],
    ['links without an end', '[a](b'],
    ['link targets', ']((a)'],
  ])('needs no more time for each of many %s', (_name, part) => {
    expectLinear(200_000, (size) => `x${part.repeat(Math.ceil(size / part.length))}x`, cleanText);
  });

  it('puts a line on one line', () => {
    expect(cleanLine(' Acme\n<b>Help</b>\t desk ')).toBe('Acme Help desk');
  });

  it.each(['javascript:alert(1)', 'data:image/svg+xml,x', '//a.example/x', 'logo.png', '', 7])(
    'takes %j for no address',
    (address) => {
      expect(cleanAddress(address)).toBeNull();
    },
  );
});
