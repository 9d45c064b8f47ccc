import type { OpenAPIObject } from '@nestjs/swagger';
import { parseGuide, type GuideGroup } from './guides/guide';
import { html, paragraphs } from './html';
import { SAMPLE, type SampleHints } from './sample-hints';
import { ApiView, type Operation, type OperationView } from './api-view';
import { curlSample } from './curl-sample';
import { exampleOf } from './example-of';
import { renderOperation } from './render-operation';
import { arrange, type OutlineGroup } from './outline';
import { pageAsMarkdown } from './page-as-markdown';
import { SearchIndex } from './search';
import { limitsOf, shapeOf, typeText } from './schema-shape';

const plain = (code: string) => html`${code}`;
const GUIDES: GuideGroup[] = [
  {
    title: 'Start',
    guides: [
      parseGuide(
        'post',
        '---\ntitle: Post\ndescription: How to send a letter.\n---\n\nIntro.\n\n## Buy stamps\n\nHere.\n',
      ),
    ],
  },
];

const DOCUMENT: OpenAPIObject = {
  openapi: '3.0.0',
  info: { title: 'Letters', version: '1' },
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      session: { type: 'apiKey', in: 'cookie', name: 'session' },
    },
    schemas: {
      Letter: {
        type: 'object',
        required: ['to', 'pages'],
        properties: {
          to: { type: 'string', example: "Ann's <house>" },
          pages: { type: 'array', items: { type: 'integer', minimum: 2 } },
          note: { type: 'string', maxLength: 5 },
          reply: { allOf: [{ $ref: '#/components/schemas/Letter' }], nullable: true },
          style: { oneOf: [{ type: 'string', enum: ['plain'] }, { type: 'boolean' }] },
        },
      },
    },
  },
  paths: {
    '/letters/{id}': {
      get: {
        operationId: 'getLetter',
        summary: 'Get a letter',
        tags: ['v1: letters'],
        security: [{ session: [] }],
        parameters: [
          { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
          { name: 'as', in: 'query', required: true, schema: { type: 'string' }, example: 'a b' },
        ],
        responses: {
          200: {
            description: 'Here',
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Letter' } } },
          },
          404: { description: 'NOT_FOUND' },
        },
      },
    },
    '/letters': {
      post: {
        summary: 'Send <b>',
        tags: ['v1: letters'],
        security: [{ bearer: [] }],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Letter' } } },
        },
        responses: { 204: { description: '' } },
      },
    },
    '/other/x': { get: { responses: {} } },
  },
};
const LETTER = { $ref: '#/components/schemas/Letter' };

describe('the API reference', () => {
  const api = new ApiView(DOCUMENT, '/other/');
  const operation = (anchor: string): OperationView => api.operations.find((one) => one.anchor === anchor)!;
  const source = { id: 'mail', title: 'Mail API', view: api };
  const context = { baseUrl: '', highlight: plain, hasGuides: true };

  it('row 30: has a page for each tag without an outline, without the operations of another document', () => {
    const pages = arrange([source], []).flatMap((group) => group.pages);
    expect(pages.map(({ group, slug, title }) => [group.slug, slug, title])).toEqual([['mail', 'letters', 'Letters']]);
    expect(pages[0]?.operations.map(({ anchor }) => anchor)).toEqual(['getLetter', 'post-letters']);
    const others = { ...source, view: new ApiView(DOCUMENT) };
    expect(arrange([others], [])[0]?.pages.map(({ title }) => title)).toEqual(['Letters', 'Operations']);
  });

  describe('with an outline', () => {
    const OUTLINE: OutlineGroup[] = [
      {
        slug: 'post',
        title: 'Post',
        description: 'All about letters.',
        pages: [
          { slug: 'sent', title: 'Sent', description: 'Sent letters.', paths: { mail: ['/letters'] } },
          {
            slug: 'one',
            title: 'One',
            description: 'One letter.',
            paths: { mail: ['/letters/{id}'], copy: ['/letters'] },
          },
        ],
      },
    ];

    it('shows an operation on the page with the longest path', () => {
      const [group, ...others] = arrange([source], OUTLINE);
      expect(others).toEqual([]);
      expect(group?.pages.map(({ operations }) => operations.map(({ anchor }) => anchor))).toEqual([
        ['post-letters'],
        ['getLetter'],
      ]);
    });

    it('shows operations that the outline does not name, and those of two services only once', () => {
      const all = { ...source, view: new ApiView(DOCUMENT) };
      const again = { id: 'other', title: 'Other API', view: new ApiView(DOCUMENT, '/other/') };
      const groups = arrange([all, again], OUTLINE);
      expect(groups.map(({ slug }) => slug)).toEqual(['post', 'mail']);
      expect(groups[1]?.pages.flatMap(({ operations }) => operations.map(({ path }) => path))).toEqual(['/other/x']);
    });

    it('gives equal operation ids of two services different addresses', () => {
      const copy = { id: 'copy', title: 'Copy API', view: new ApiView(DOCUMENT, '/other/') };
      const page = arrange([source, copy], OUTLINE)[0]?.pages[1];
      expect(page?.operations.map(({ anchor }) => anchor)).toEqual(['getLetter', 'copy-getLetter', 'post-letters']);
    });

    it('is also Markdown, with all fields', () => {
      const text = pageAsMarkdown(arrange([source], OUTLINE)[0]!.pages[1]!, 'https://api.example');
      expect(text).toContain('# One\n\nOne letter.\n\n## Get a letter\n\n`GET /letters/{id}`');
      expect(text).toContain('- `pages` (array of integer)');
      expect(text).toContain('- 404: [NOT_FOUND](https://api.example/docs/guides/errors#not-found)');
      expect(text).toContain('```sh\n# LETTER_ID');
    });
  });

  it('states what a caller needs, what is limited, and where errors are explained', () => {
    const limited = {
      ...operation('getLetter').operation,
      'x-access': { scope: 'letters:read', roles: ['owner', 'admin'] },
      'x-limits': { rates: [{ calls: 1_200, seconds: 60, per: 'API key' }], bodyBytes: 256_000 },
    } as Operation;
    const text = renderOperation(api, { ...operation('getLetter'), operation: limited }, context).toString();
    for (const part of ['<code>letters:read</code>', 'owner, admin', '1,200 calls per minute', 'At most 256 kB'])
      expect(text).toContain(part);
    expect(text).toContain('<a href="/docs/guides/errors#not-found">NOT_FOUND</a>');
  });

  it('row 30: has samples that can be pasted into a shell', () => {
    expect(curlSample(api, operation('getLetter'), 'https://api.example')).toBe(
      `# LETTER_ID: the value of the path\ncurl "https://api.example/letters/$LETTER_ID?as=a%20b" \\\n  -b "session=$SESSION_TOKEN"`,
    );
    expect(curlSample(api, operation('post-letters'), '')).toBe(
      `curl -X POST '/letters' \\\n  -H "Authorization: Bearer $API_KEY" \\\n  -H 'Content-Type: application/json' \\\n` +
        `  -d '{\n  "to": "Ann'\\''s <house>",\n  "pages": [\n    2\n  ]\n}'`,
    );
  });

  describe('samples of operations with values that differ in every installation', () => {
    const PAGE_SIZE = { name: 'limit', in: 'query', schema: { type: 'integer' } } as const;
    const CODE = { type: 'string', example: '123456' } as const;
    const sampleOf = (hints: SampleHints, method: 'get' | 'post' = 'post'): string => {
      const requestBody = {
        content: { 'application/json': { schema: { type: 'object', properties: { code: CODE } } } },
      } as const;
      const one = {
        security: [{ session: [] }],
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {},
        [SAMPLE]: hints,
      } as Operation;
      const paths = {
        '/cards': {
          get: { security: [{ session: [] }], parameters: [PAGE_SIZE], responses: {} },
          post: { security: [{ session: [] }], requestBody, responses: {} },
        },
        '/cards/{id}': method === 'get' ? { get: one } : { post: { ...one, requestBody } },
      };
      const view = new ApiView({ ...DOCUMENT, paths });
      const found = view.operations.find(({ path }) => path === '/cards/{id}');
      return curlSample(view, found!, 'https://api.example');
    };
    const FIRST = `grep -o '"id":"[^"]*"' | head -n 1 | cut -d '"' -f 4`;

    it('use the id of the first entry in the list response of the previous sample', () => {
      expect(sampleOf({}, 'get')).toBe(
        [
          `CARD_ID=$(curl -s 'https://api.example/cards?limit=1' \\`,
          `  -b "session=$SESSION_TOKEN" |`,
          `  ${FIRST})`,
          `curl "https://api.example/cards/$CARD_ID" \\`,
          `  -b "session=$SESSION_TOKEN"`,
        ].join('\n'),
      );
    });

    it('create an entry in the required state', () => {
      const sample = sampleOf(
        { values: { id: { create: '/cards', with: { draft: true }, then: ['/cards/{id}/close'] } } },
        'get',
      );
      expect(sample).toContain(`-d '{\n  "code": "123456",\n  "draft": true\n}' |\n  ${FIRST})`);
      expect(sample).toContain(`curl -s -o /dev/null -X POST "https://api.example/cards/$CARD_ID/close"`);
    });

    it('refer to variables in bodies, and send the origin of the site with a session', () => {
      const sample = sampleOf({ values: { id: 'a b', code: { given: 'code of the app' } } });
      expect(sample).toBe(
        [
          '# CODE: code of the app',
          `curl -X POST 'https://api.example/cards/a%20b' \\`,
          `  -b "session=$SESSION_TOKEN" \\`,
          `  -H 'Origin: https://api.example' \\`,
          `  -H 'Content-Type: application/json' \\`,
          `  -d '{\n  "code": "'"$CODE"'"\n}'`,
        ].join('\n'),
      );
    });
  });

  it('row 30: describes types, limits and nested schemas, and stops at recursion', () => {
    expect(typeText(api, { type: 'array', items: LETTER })).toBe('array of Letter');
    expect(typeText(api, { oneOf: [{ type: 'string', format: 'uuid' }, LETTER] })).toBe('string (uuid) or Letter');
    expect(typeText(api, { type: 'object', additionalProperties: { type: 'boolean' } })).toBe('map of boolean');
    expect(shapeOf(api, { allOf: [LETTER], nullable: true })).toMatchObject({ name: 'Letter', nullable: true });
    expect(limitsOf(shapeOf(api, { type: 'string', minLength: 1, maxLength: 5 }))).toEqual(['1 to 5 characters']);
    expect(limitsOf(shapeOf(api, { type: 'array', items: {}, maxItems: 3 }))).toEqual(['at most 3 items']);
    expect(JSON.stringify(exampleOf(api, LETTER)).length).toBeLessThan(2_000);
    const page = renderOperation(api, operation('getLetter'), context).toString();
    expect(page).toContain('id="getLetter"');
    expect(page.match(/<code class="name">reply<\/code>/g)).toHaveLength(1);
  });

  it('row 30: escapes all values of a document', () => {
    expect(renderOperation(api, operation('post-letters'), context).toString()).toContain('Send &lt;b&gt;');
    expect(html`<p title="${'"<'}">${['a', html`<b>${'&'}</b>`, null, false, 0]}</p>`.toString()).toBe(
      '<p title="&quot;&lt;">a<b>&amp;</b>0</p>',
    );
    expect(paragraphs('one `<x>`\n\ntwo').join('')).toBe('<p>one <code>&lt;x&gt;</code></p><p>two</p>');
  });

  it('row 30: finds operations that contain every word, and lists matches in headings first', () => {
    const index = new SearchIndex(GUIDES, arrange([source], []));
    const find = (query: string) => index.find(query).map(({ url }) => url);
    expect(find('LETTER get')).toEqual(['/docs/mail/letters#getLetter']);
    expect(find('mail')).toHaveLength(2);
    // The name of a field, an error code, and a value.
    expect(find('pages')).toHaveLength(2);
    expect(find('not_found')).toEqual(['/docs/mail/letters#getLetter']);
    expect(find('plain')).toHaveLength(2);
    expect([...find(''), ...find('nothing like this')]).toEqual([]);
    expect(find('stamps')).toEqual(['/docs/guides/post#buy-stamps']);
    expect(find('letter')).toContain('/docs/guides/post');
  });
});
