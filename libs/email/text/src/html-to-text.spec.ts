import { anyCodePoint, expectLinear } from '@heliograph/testing';
import fc from 'fast-check';
import { htmlToText } from './html-to-text';

describe('the text of html', () => {
  it.each([
    ['<p>One</p><p>Two<br>three</p>', 'One\n\nTwo\nthree'],
    ['<h1>Hello</h1>World', 'Hello\n\nWorld'],
    ['<a href="https://a.example/?x=1&amp;y=2">the page</a>', 'the page (https://a.example/?x=1&y=2)'],
    ['<a href="https://a.example">https://a.example</a>', 'https://a.example'],
    ['<a href="{{ unsubscribe_url }}">Leave</a>', 'Leave ({{ unsubscribe_url }})'],
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
    ['<table><tr><th>Item</th><th>Qty</th></tr><tr><td>Tea</td><td>2</td></tr></table>', 'Item\nQty\nTea\n2'],
    ['<table><caption>Orders</caption><tr><td>1</td></tr></table>', 'Orders\n1'],
    ['before<center>Sale</center>after', 'before\nSale\nafter'],
    ['<button>Yes</button><button>No</button>', 'Yes\nNo'],
    ['<dialog open>b</dialog><textarea>c</textarea>d', 'b\nc\nd'],
    ['<dl><dt>Tea</dt><dd>Green</dd><dt>Milk</dt><dd>Oat</dd></dl>', 'Tea\nGreen\nMilk\nOat'],
    ['Acme<address>1 Road</address>Delhi', 'Acme\n1 Road\nDelhi'],
    ['<details><summary>More</summary>Details</details>', 'More\nDetails'],
    ['<figure>Photo<figcaption>A cat</figcaption></figure>', 'Photo\nA cat'],
    ['<p style="display:none">preheader</p><p>seen</p>', 'seen'],
    ['<table style="display: none !important"><tr><td>x</td></tr></table>seen', 'seen'],
    ['<a href="https://a.example" style="display:none">x</a>seen', 'seen'],
    ['<img src="x.png" alt="Logo" style="display:none">seen', 'seen'],
    ['<img src="x.png" alt="Logo" hidden>seen', 'seen'],
    ['<h1 hidden>x</h1><ul hidden><li>y</li></ul><blockquote hidden>z</blockquote>seen', 'seen'],
    ['<ul><li hidden>x</li><li>seen</li></ul>', '* seen'],
    ['<p style="mso-hide:all">x</p><p style="visibility:hidden">y</p>seen', 'seen'],
    ['<p style="visibility:hidden">x<b style="visibility:visible">seen</b></p>', 'seen'],
    ['<div style="font-size:0">x</div><b style="font-size:0px;line-height:1px">y</b>seen', 'seen'],
    ['<div style="max-height:0px;overflow:hidden">x<div>y</div></div><p style="opacity:0">z</p>seen', 'seen'],
    ['<div style="height:0;overflow:hidden">x</div><div style="height:0">seen</div>', 'seen'],
    ['<td style="font-size:0px"> <div style="font-size:13px">seen</div> </td>', 'seen'],
    ['<td style="font-size:0"><img src="x.png" alt="Logo"></td>', 'Logo'],
    ['<p style="display:none">x<p>seen', 'seen'],
    ['<div style="display:none;display:block">seen</div>', 'seen'],
    ['<div style="font-size:0.9em;opacity:0.5;max-height:100px">seen</div>', 'seen'],
    ['seen<div hidden>x', 'seen'],
    ['<br style="display:none">seen', 'seen'],
    ['a < b', 'a < b'],
    ['', ''],
  ])('converts %j to %j', (html, text) => expect(htmlToText(html)).toBe(text));

  it.each<[string, number, (pieces: number) => string]>([
    ['nested blocks', 200_000, (n) => '<div>'.repeat(n)],
    ['nested tables', 100_000, (n) => '<table><tr><td>'.repeat(n)],
    ['nested links', 100_000, (n) => '<a href=x>'.repeat(n)],
    ['nested lists of lines', 200_000, (n) => '<ul><li>'.repeat(50) + 'a<br>'.repeat(n)],
    ['many paragraphs', 50_000, (n) => '<p>hello <a href="https://a.example">there</a></p>'.repeat(n)],
    ['ten megabytes of words', 2_000_000, (n) => 'word '.repeat(n)],
    ['ten megabytes of opening tags', 10_000_000, (n) => '<'.repeat(n)],
    ['one tag of ten megabytes', 2_500_000, (n) => `<a ${'b=1 '.repeat(n)}`],
    ['unclosed comments', 1_000_000, (n) => '<!--'.repeat(n)],
    ['unclosed entities', 1_000_000, (n) => '&amp'.repeat(n)],
    ['a style of ten megabytes', 1_000_000, (n) => `<div style="${';display'.repeat(n)}">x</div>`],
  ])('is limited in size and computed in limited time for %s', (_what, pieces, htmlOf) => {
    expect(htmlToText(htmlOf(pieces)).length).toBeLessThanOrEqual(512 * 1024);
    expectLinear(pieces, htmlOf, htmlToText);
  });

  it('is well-formed for any input', () => {
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
      fc.property(fc.array(fc.oneof(tags, fc.string({ unit: anyCodePoint }))), (pieces) => {
        expect(htmlToText(pieces.join('')).isWellFormed()).toBe(true);
      }),
    );
  });
});
