import { expectLinear } from '@heliograph/testing';
import fc from 'fast-check';
import { MAX_CLICK_URL_BYTES, RecipientTokens } from '../tokens/recipient-tokens';
import { MAX_TRACKED_LINKS, prepareTracking, type RecipientLinks } from './prepare-tracking';

const OPEN_URL = 'https://t.example/o/1.gif?a=1&b="2"';
const PIXEL =
  '<img src="https://t.example/o/1.gif?a=1&amp;b=&quot;2&quot;" width="1" height="1" alt="" style="display:block;width:1px;height:1px;border:0">';

/** Runs all steps of a generator without pauses. */
function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
const UNSUBSCRIBE_URL = 'https://t.example/email/u/x';
type Tracked = Omit<RecipientLinks, 'unsubscribeUrl'>;
const linksOf = (tracked: Tracked): RecipientLinks => ({ ...tracked, unsubscribeUrl: UNSUBSCRIBE_URL });
const rendered = (html: string, tracked: Tracked) => finish(finish(prepareTracking(html)).render(linksOf(tracked)));

/** Returns the tracked URLs in order, and the resulting HTML. */
function track(html: string): { urls: string[]; html: string } {
  const urls: string[] = [];
  const click = (url: string) => `https://t.example/c/${urls.push(url)}`;
  return { html: rendered(html, { click, openUrl: null }), urls };
}

const untouched = (html: string) => expect(track(html)).toEqual({ urls: [], html });
const withPixel = (html: string) => rendered(html, { click: null, openUrl: OPEN_URL });

describe('a link', () => {
  it.each([
    ['<a href="https://x.example/">x</a>', '<a href="https://t.example/c/1">x</a>'],
    ["<a href='https://x.example/'>x</a>", "<a href='https://t.example/c/1'>x</a>"],
    ['<a href=https://x.example/>x</a>', '<a href="https://t.example/c/1">x</a>'],
    ['<A CLASS=b\n HREF\t=\n"HTTPS://x.example/" id=c/>x', '<A CLASS=b\n HREF\t=\n"https://t.example/c/1" id=c/>x'],
    ['<area shape="rect" href="http://x.example/">', '<area shape="rect" href="https://t.example/c/1">'],
    ['<a title="a > b" href="https://x.example/">', '<a title="a > b" href="https://t.example/c/1">'],
    ["<a title='\"' href='https://x.example/'>", "<a title='\"' href='https://t.example/c/1'>"],
    ['<a/href="https://x.example/">', '<a/href="https://t.example/c/1">'],
    ['<a data-x=">" href="https://x.example/">', '<a data-x=">" href="https://t.example/c/1">'],
    ['a < b <a href="https://x.example/">', 'a < b <a href="https://t.example/c/1">'],
    ['<![if !mso]><a href="https://x.example/"><![endif]>', '<![if !mso]><a href="https://t.example/c/1"><![endif]>'],
    [
      '<!--[if !mso]><!--><a href="https://x.example/"><!--<![endif]-->',
      '<!--[if !mso]><!--><a href="https://t.example/c/1"><!--<![endif]-->',
    ],
    ['<style>a{}</style ><a href="https://x.example/">', '<style>a{}</style ><a href="https://t.example/c/1">'],
    ['<!----><!--> <a href="https://x.example/">', '<!----><!--> <a href="https://t.example/c/1">'],
    ['<noscript><a href="https://x.example/"></noscript>', '<noscript><a href="https://t.example/c/1"></noscript>'],
  ])('in %s is replaced by a tracking link', (before, after) => {
    const { html, urls } = track(before);
    expect(html).toBe(after);
    expect(urls.map((url) => url.toLowerCase().replace('http:', 'https:'))).toEqual(['https://x.example/']);
  });

  it.each([
    ['?a=1&amp;b=2', '?a=1&b=2'],
    ['?a=1&b=2', '?a=1&b=2'],
    ['?a=1&copy=2&lang=en&ampere', '?a=1&copy=2&lang=en&ampere'],
    ['?a=1&#38;b=2&#x26;c=&#x1F600;', '?a=1&b=2&c=😀'],
    ['?q=&quot;a&quot;&apos;b&#39;&lt;&gt;', `?q="a"'b'<>`],
    ['?a=1&amp;amp;b', '?a=1&amp;b'],
    ['?a=1&amp', '?a=1&'],
    ['?flag&other', '?flag&other'],
    ['?q=ü', '?q=ü'],
    ['p\n\t q', 'p q'],
  ])('with the query %s redirects to the URL with %s', (written, meant) => {
    expect(track(`<a href=" https://x.example/${written} ">`).urls).toEqual([`https://x.example/${meant}`]);
  });

  it.each(['?a=1&eacute;b', '?a=1&copy', '?a=&#128;', '?x=&hellip;'])(
    'with the ambiguous character reference in %s is unchanged',
    (written) => untouched(`<a href="https://x.example/${written}">`),
  );

  it.each([
    '<a href="mailto:a@x.example">',
    '<a href="tel:+49123">',
    '<a href="#top">',
    '<a href="javascript:alert(1)">',
    '<a href="java\nscript:alert(1)">',
    '<a href="data:text/html,x">',
    '<a href="/relative">',
    '<a href="//x.example/">',
    '<a href="">',
    '<a href>',
    '<a href = >',
    '<a name="x">',
    '<a href="{{ url }}">',
    '<a href="https://x.example/{{ name }}">',
    '<a href="https://x.example/{% if a %}">',
    '<a href="https://">',
    '<a href="https:///x">',
    '<a href="https://x.example:port/">',
    '<a xhref="https://x.example/">',
    '<a data-href="https://x.example/">',
    '<abbr href="https://x.example/">',
    '<link href="https://x.example/"><base href="https://x.example/">',
    '<a href="#x" href="https://x.example/">',
    '</a href="https://x.example/">',
    '<!-- <a href="https://x.example/"> -->',
    '<!-- > <a href="https://x.example/"> --!>',
    '<!doctype html><script>"<a href=https://x.example/>"</script>',
    '<style><a href="https://x.example/"></styles></style>',
    '<TITLE><a href="https://x.example/"></tiTLE>',
    '<textarea><a href="https://x.example/"></textarea>',
    '<![CDATA[ > <a href="https://x.example/"> ]]>',
    '<p title="<a href=\'https://x.example/\'>">',
    '<a href="https://x.example/"',
    '<a href="https://x.example/',
    '<a title="><a href=https://x.example/>',
    '<plaintext><a href="https://x.example/">',
    '< a href="https://x.example/">',
  ])('that is not an absolute web URL is unchanged: %s', untouched);

  it('to an unsubscribe page of the service is unchanged', () => {
    const tokens = new RecipientTokens(['a secret of many characters']);
    const ref = { messageId: '0198b2c0-7a11-7f3e-9c55-0123456789ab', position: 0 };
    untouched(`<a href="https://t.example${tokens.unsubscribePath(ref)}">`);
    expect(track('<a href="https://x.example/email/u/news">').urls).toHaveLength(1);
  });

  it('that exceeds the maximum length is unchanged', () => {
    const longest = `https://x.example/${'x'.repeat(MAX_CLICK_URL_BYTES - 18)}`;
    expect(track(`<a href="${longest}">`).urls).toEqual([longest]);
    untouched(`<a href="${longest}x">`);
  });

  it('that occurs several times gets one tracking link', () => {
    const { urls, html } = track('<a href="https://x.example/">1</a><a href="https://x.example/">2</a>');
    expect(urls).toHaveLength(1);
    expect(html).toBe('<a href="https://t.example/c/1">1</a><a href="https://t.example/c/1">2</a>');
  });

  it('is escaped so that the attribute value ends correctly', () => {
    const html = rendered("<a href='https://x.example/'>", {
      click: () => `https://t/?a&"'<>`,
      openUrl: null,
    });
    expect(html).toBe("<a href='https://t/?a&amp;&quot;&#39;&lt;&gt;'>");
  });
});

describe('an email with 150,000 links', () => {
  const hrefs = Array.from({ length: 150_000 }, (_, index) => `https://x.example/${index}`);
  const html = hrefs.map((href) => `<a href="${href}">x</a>`).join('\n') + '</body>';

  it('has 1,000 tracked links, and the remaining links are unchanged', () => {
    const { urls, html: result } = track(html);
    expect(urls).toEqual(hrefs.slice(0, MAX_TRACKED_LINKS));
    expect(result.split('\n').slice(MAX_TRACKED_LINKS)).toEqual(html.split('\n').slice(MAX_TRACKED_LINKS));
    expect(withPixel(html).endsWith(`${PIXEL}</body>`)).toBe(true);
  });

  it('is prepared and rendered in short steps', () => {
    const count = (steps: Generator<void, unknown>) => [...steps].length;
    expect(count(prepareTracking(html))).toBeGreaterThan(hrefs.length);
    expect(count(prepareTracking(`<a ${'b '.repeat(100_000)}>`))).toBeGreaterThan(100_000);
    const links = linksOf({ click: () => 'https://t/', openUrl: null });
    expect(count(finish(prepareTracking(html)).render(links))).toBe(MAX_TRACKED_LINKS);
  });
});

describe('the tracking pixel', () => {
  it.each([
    ['<html><body><p>x</p></body></html>', `<html><body><p>x</p>${PIXEL}</body></html>`],
    ['<body>x</BODY ></html>', `<body>x${PIXEL}</BODY ></html>`],
    ['<body></body><body></body>x', `<body></body><body>${PIXEL}</body>x`],
    ['<body>x<!-- </body> -->', `<body>x<!-- </body> -->${PIXEL}`],
    ['<p>x</p>', `<p>x</p>${PIXEL}`],
    ['', PIXEL],
    ['x<!-- never closed', `x${PIXEL}<!-- never closed`],
    ['x<style>p{', `x${PIXEL}<style>p{`],
    ['x<p title="', `x${PIXEL}<p title="`],
  ])('of %j is placed where clients load it', (html, expected) => {
    expect(withPixel(html)).toBe(expected);
  });

  it('and tracked links are added independently', () => {
    const tracked = finish(prepareTracking('<a href="https://x.example/">x</a>'));
    const click = () => 'https://t/';
    expect(finish(tracked.render(linksOf({ click: null, openUrl: null })))).toBe('<a href="https://x.example/">x</a>');
    expect(finish(tracked.render(linksOf({ click, openUrl: null })))).toBe('<a href="https://t/">x</a>');
    expect(finish(tracked.render(linksOf({ click, openUrl: OPEN_URL })))).toBe(`<a href="https://t/">x</a>${PIXEL}`);
  });
});

const soup = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '<a href=',
        '"',
        "'",
        '>',
        '<',
        '</',
        '<!--',
        '-->',
        '<style>',
        '</style>',
        '<script',
        '</script>',
      ),
      fc.constantFrom(
        'https://x.example/',
        'mailto:a@b',
        '&amp;',
        '<![CDATA[',
        ']]>',
        '</body>',
        '<title>',
        '=',
        ' ',
        '/',
      ),
      fc.string({ unit: 'grapheme', maxLength: 5 }),
    ),
    { maxLength: 60 },
  )
  .map((pieces) => pieces.join(''));

describe('any HTML text', () => {
  it('is unchanged except for its links', () => {
    fc.assert(
      fc.property(soup, (html) => {
        const marked = rendered(html, { click: (url) => `\u0001${url}\u0001`, openUrl: null });
        // Unquoted attribute values may have received quotes.
        const restored = marked.replaceAll(/"?\u0001([^\u0001]*)\u0001"?/g, '$1');
        expect(withoutQuotes(restored)).toBe(withoutQuotes(html));
      }),
      { examples: [['<a href=https://x.example/"-->']], numRuns: 300 },
    );
  });

  it('gets exactly one tracking pixel', () => {
    fc.assert(
      fc.property(soup, (html) => {
        const [before, after, ...more] = withPixel(html).split(PIXEL);
        expect(more).toEqual([]);
        expect(before! + after!).toBe(html);
      }),
    );
  });
});

/** Decodes the character references of a link, and removes quotes and white space. */
const withoutQuotes = (text: string) =>
  text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
    .replaceAll(/["'\s]/g, '');

describe('one megabyte', () => {
  const SIZE = 1_000_000;

  it.each<[string, (fill: (piece: string) => string) => string]>([
    ['of links', (fill) => fill('<p>text</p><a class="b" href="https://x.example/?a=1&amp;b=2">x</a>\n')],
    ['of <', (fill) => fill('<')],
    ['of </', (fill) => fill('</')],
    ['of <!', (fill) => fill('<!')],
    ['of <![CDATA[', (fill) => fill('<![CDATA[')],
    ['of unclosed comments', (fill) => fill('<!--')],
    ['of unclosed tags', (fill) => fill('<a ')],
    ['of unclosed quotes', (fill) => fill('<a href="')],
    ['of equals signs', (fill) => `<a ${fill('=')}`],
    ['of unclosed style elements', (fill) => fill('<style>')],
    ['of invalid style end tags', (fill) => `<style>${fill('</style')}`],
    ['of one href', (fill) => `<a href="https://x.example/${fill('&amp;')}">`],
    ['of character references', (fill) => fill('<a href="https://x/&#x;&#;&;&&amp">')],
    ['of short comments', (fill) => fill('<!---->')],
  ])('%s is processed in linear time', (_what, html) => {
    expectLinear(
      SIZE,
      (size) => html((piece) => piece.repeat(Math.ceil(size / piece.length))),
      (text) => rendered(text, { click: () => 'https://t/', openUrl: OPEN_URL }),
    );
  });
});
