import fc from 'fast-check';
import { htmlToText } from './html-to-text';

describe('the text of html', () => {
  it.each([
    ['<p>One</p><p>Two<br>three</p>', 'One\n\nTwo\nthree'],
    ['<h1>Hello</h1>World', 'Hello\n\nWorld'],
    ['<a href="https://a.example/?x=1&amp;y=2">the page</a>', 'the page (https://a.example/?x=1&y=2)'],
    ['<a href="https://a.example">https://a.example</a>', 'https://a.example'],
    ['<a href="#top">up</a>', 'up'],
    ['<img src="https://a.example/x.png" alt="Logo"> <img src="x.png">', 'Logo'],
    ['<ul><li>one</li><li>two</li></ul>', '* one\n * two'],
    ['<table><tr><td>a</td><td>b</td></tr></table>', 'a\nb'],
    ['<span>a</span><span>b</span>', 'ab'],
    ['&lt;b&gt; &amp; &euro; &#128077;', '<b> & € 👍'],
    ['<head><title>T</title><style>p{}</style></head><script>x()</script><p>seen</p>', 'seen'],
    ['<div style="display:none;max-height:0">preheader</div><p>seen</p>', 'seen'],
    ['<span style="color:red; DISPLAY : NONE">hidden</span><div hidden>too</div>seen', 'seen'],
    ['<!-- note -->seen', 'seen'],
    ['a < b', 'a < b'],
    ['', ''],
  ])('%j is %j', (html, text) => expect(htmlToText(html)).toBe(text));

  it.each([
    ['deep blocks', '<div>'.repeat(200_000)],
    ['deep tables', '<table><tr><td>'.repeat(100_000)],
    ['deep links', '<a href=x>'.repeat(100_000)],
    ['deep lists of lines', '<ul><li>'.repeat(50) + 'a<br>'.repeat(200_000)],
    ['many paragraphs', '<p>hello <a href="https://a.example">there</a></p>'.repeat(50_000)],
    ['ten megabytes of words', 'word '.repeat(2_000_000)],
    ['ten megabytes of openings', '<'.repeat(10_000_000)],
    ['one tag of ten megabytes', `<a ${'b=1 '.repeat(2_500_000)}`],
    ['comments without end', '<!--'.repeat(1_000_000)],
    ['entities without end', '&amp'.repeat(1_000_000)],
    ['a style of ten megabytes', `<div style="${';display'.repeat(1_000_000)}">x</div>`],
  ])('comes out bounded and soon from %s', (_what, html) => {
    const startedAt = performance.now();
    expect(htmlToText(html).length).toBeLessThanOrEqual(512 * 1024);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  it('is well-formed, whatever comes', () => {
    const tags = fc.constantFrom(
      '<p>',
      '</p>',
      '<a href="',
      '">',
      '<table>',
      '<td>',
      '<ul>',
      '<li>',
      '<pre>',
      '<img alt=',
      '<',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(tags, fc.string({ unit: 'binary' }))), (pieces) => {
        expect(htmlToText(pieces.join('')).isWellFormed()).toBe(true);
      }),
    );
  });
});
