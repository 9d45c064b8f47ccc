import { parseGuide } from './guide';
import { guideAsMarkdown, llmsText } from './render-guides';
import { renderMarkdown } from './render-markdown';

const render = async (markdown: string) => {
  const options = {
    linkOf: (href: string) => href.replace('.md', ''),
    adaptCode: (code: string) => code.replace('localhost', 'api.example'),
  };
  const { body, headings } = await renderMarkdown(markdown, options);
  return { text: body.toString(), headings };
};

describe('rendered Markdown', () => {
  it('has headings with anchors, and lists those of the second level', async () => {
    const { text, headings } = await render('## Send an `SMS`\n\n### Details\n');
    expect(text).toContain('<h2 id="send-an-sms"><a href="#send-an-sms">Send an <code>SMS</code></a></h2>');
    expect(headings).toEqual([{ anchor: 'send-an-sms', title: 'Send an SMS' }]);
  });

  it('displays raw HTML as text, and escapes code', async () => {
    const { text } = await render('One <script>alert(1)</script>\n\n<div>two</div>\n\n```html\n<b>&amp;\n```\n');
    expect(text).not.toMatch(/<script|<div>two|<b>/);
    expect(text).toContain('&lt;script&gt;');
  });

  it('adapts links and code', async () => {
    const { text } = await render('[errors](errors.md#codes)\n\n```sh\ncurl localhost\n```\n');
    expect(text).toContain('href="errors#codes"');
    expect(text).toContain('api.example');
  });

  it('combines consecutive samples in different languages, of which the reader chooses one', async () => {
    const { text } = await render('```sh\na\n```\n\n```js\nb\n```\n\n```py\nc\n```\n\n```sh\nd\n```\n');
    expect(text.match(/class="choice"/g)).toHaveLength(1);
    expect(text.match(/<label[^>]*>([^<]+)/g)?.map((label) => label.replace(/.*>/, ''))).toEqual([
      'curl',
      'Node.js',
      'Python',
    ]);
    expect(text.match(/<pre/g)).toHaveLength(4);
  });

  it('keeps a table and a text between samples apart', async () => {
    const { text } = await render('```sh\na\n```\n\nText\n\n```js\nb\n```\n\n| A |\n| - |\n| `b` |\n');
    expect(text).not.toContain('class="choice"');
    expect(text).toMatch(/<td><code>b<\/code><\/td>/);
  });
});

describe('a guide as Markdown', () => {
  const guide = parseGuide(
    'post',
    '---\ntitle: Post\ndescription: Letters.\n---\n\nSee [errors](errors.md#codes) and [x](https://x.example).\n',
  );

  it('has a title and absolute links', () => {
    expect(guideAsMarkdown(guide, 'https://api.example')).toBe(
      '# Post\n\nLetters.\n\nSee [errors](https://api.example/docs/guides/errors.md#codes) and [x](https://x.example).\n',
    );
  });

  it('is in the list for language models', () => {
    const text = llmsText(
      [{ title: 'Start', guides: [guide] }],
      [],
      [{ id: 'v1', title: 'API v1', description: 'All.' }],
      '',
    );
    expect(text).toContain('- [Post](/docs/guides/post.md): Letters.');
    expect(text).toContain('- [API v1](/docs/v1/openapi.json): All.');
  });

  it('needs a head', () => expect(() => parseGuide('post', '# Post\n')).toThrow('post has no head'));
});
