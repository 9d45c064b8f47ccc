import { MAX_UNSUBSCRIBE_LINKS } from '@heliograph/email-text';
import { inTurns } from '@heliograph/service-kit';
import { expectLinear } from '@heliograph/testing';
import { prepareTracking } from './prepare-tracking';

const HREF = 'https://t.example/email/u/x?a=1&amp;b=2';
const UNTRACKED = { click: null, openUrl: null };
const TRACKED = { click: () => 'https://t/', openUrl: 'https://t/o' };

describe('row 27: the tag of the unsubscribe link', () => {
  const rendered = async (html: string, links: typeof UNTRACKED | typeof TRACKED = TRACKED) => {
    const tracked = await inTurns(prepareTracking(html));
    const text = await inTurns(tracked.render({ ...links, unsubscribeUrl: 'https://t.example/email/u/x?a=1&b=2' }));
    return text.replace(/<img [^>]+>/, '[pixel]');
  };

  it.each([
    ['<a href="{{ unsubscribe_url }}">x</a>', `<a href="${HREF}">x</a>`],
    ['<a href="{{unsubscribe_url}}">x</a>', `<a href="${HREF}">x</a>`],
    ["<a href='{{  unsubscribe_url\t}}'>x</a>", `<a href='${HREF}'>x</a>`],
    ['<p>{{ unsubscribe_url }}</p>', `<p>${HREF}</p>`],
    ['<!--[if mso]><a href="{{unsubscribe_url}}"><![endif]-->', `<!--[if mso]><a href="${HREF}"><![endif]-->`],
    ['<a href="https://x.example/?u={{unsubscribe_url}}">x</a>', `<a href="https://x.example/?u=${HREF}">x</a>`],
  ])('in %j is replaced and not tracked', async (html, expected) => {
    expect(await rendered(html)).toBe(`${expected}[pixel]`);
    expect(await rendered(html, UNTRACKED)).toBe(expected);
  });

  it.each(['{{ name }}', '{{ unsubscribe }}', '{{ unsubscribe_url | upcase }}', '{ { unsubscribe_url } }'])(
    'is not recognized in %s, which is unchanged',
    async (html) => {
      expect(await rendered(html, UNTRACKED)).toBe(html);
    },
  );

  it('can be used together with tracked links and the tracking pixel', async () => {
    const html = '<a href="https://x.example/">x</a><a href="{{ unsubscribe_url }}">y</a></body>';
    expect(await rendered(html)).toBe(`<a href="https://t/">x</a><a href="${HREF}">y</a>[pixel]</body>`);
  });

  it('is replaced a limited number of times, in linear time', async () => {
    const html = '{{unsubscribe_url}}'.repeat(MAX_UNSUBSCRIBE_LINKS + 1);
    expect(await rendered(html, UNTRACKED)).toBe(`${HREF.repeat(MAX_UNSUBSCRIBE_LINKS)}{{unsubscribe_url}}`);
    expectLinear(
      100_000,
      (n) => '{{          '.repeat(n),
      (tags) => [...prepareTracking(tags)],
    );
  });
});
