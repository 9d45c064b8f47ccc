import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { loadWidgetAssets } from '@heliograph/bot-widget';
import { rawRequest } from '@heliograph/testing';
import { BotFixture } from '../bot-fixture';
import { builtWidgetDirectory } from './built-widget';

const BOT = 'bot_pages';
const NARROW = 'bot_narrow';
const BASE = 'https://api.heliograph.example';
const BOTS = 'https://chat.heliograph.example';

let fixture: BotFixture;
beforeAll(async () => {
  fixture = await BotFixture.start({
    widgetDirectory: await builtWidgetDirectory(),
    environment: { PUBLIC_BASE_URL: BASE, PUBLIC_BOTS_URL: BOTS },
  });
  await fixture.bot({
    publicId: BOT,
    name: 'Q&A </script><b>',
    slug: 'q-and-a',
    settings: { branding: { color: '#0a7', logo: 'https://cdn.example/logo.png' }, welcomeMessage: 'Hello "you"' },
  });
  await fixture.bot({ publicId: NARROW, settings: { allowedDomains: ['acme.example', '*.acme.example'] } });
  await fixture.bot({ publicId: 'bot_draft', status: 'draft' });
  await fixture.bot({ publicId: 'bot_paused', status: 'paused' });
  await fixture.bot({ publicId: 'bot_unpublished', version: null });
}, 60_000);
afterAll(() => fixture?.stop());

const get = (path: string, headers?: Record<string, string>, method?: string) =>
  rawRequest(`${fixture.url}${path}`, headers, method);

describe('bundle sizes', () => {
  it('are at most 6 kB for the loader and 45 kB for the chat, compressed with Brotli', async () => {
    const { loader, script } = await loadWidgetAssets(await builtWidgetDirectory());
    expect(loader.codings.br.body.length).toBeLessThanOrEqual(6_000);
    expect(script.codings.br.body.length).toBeLessThanOrEqual(45_000);
  });
});

describe('every file and page', () => {
  const assets: string[] = [];
  beforeAll(async () => {
    const { script, style } = await loadWidgetAssets(await builtWidgetDirectory());
    assets.push(`/bots/assets/${script.name}`, `/bots/assets/${style.name}`);
  });
  const paths = () => [
    '/bots/widget.js',
    ...assets,
    `/bots/widget/config?botId=${BOT}`,
    `/bots/embed/${BOT}`,
    `/c/${BOT}`,
  ];

  it('has the same content in every encoding, with a separate strong ETag for each', async () => {
    for (const path of paths()) {
      const plain = await get(path);
      const brotli = await get(path, { 'accept-encoding': 'gzip, deflate, br' });
      const gzip = await get(path, { 'accept-encoding': 'gzip' });
      expect([plain.status, brotli.headers['content-encoding'], gzip.headers['content-encoding']]).toEqual([
        200,
        'br',
        'gzip',
      ]);
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(brotliDecompressSync(brotli.body)).toEqual(plain.body);
      expect(gunzipSync(gzip.body)).toEqual(plain.body);
      const etags = [plain, brotli, gzip].map(({ headers }) => headers.etag!);
      expect(new Set(etags).size).toBe(3);
      for (const etag of etags) expect(etag).toMatch(/^"[\w-]+"$/);
      for (const { headers, body } of [plain, brotli, gzip]) {
        expect(headers.vary).toContain('Accept-Encoding');
        expect(headers['x-content-type-options']).toBe('nosniff');
        expect(headers['content-length']).toBe(`${body.length}`);
      }
    }
  });

  it.each(['/bots/widget.js', `/bots/widget/config?botId=${BOT}`])('can be read by any site: %s', async (path) => {
    const preflight = await get(
      path,
      { Origin: 'https://shop.example', 'Access-Control-Request-Method': 'GET' },
      'OPTIONS',
    );
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*']);
    expect(preflight.headers['access-control-allow-methods']).toContain('GET');
    const refused = await get(path, {}, 'DELETE');
    expect([refused.status, refused.headers['access-control-allow-origin']]).toEqual([405, '*']);
  });

  it('returns 304 for the current ETag', async () => {
    for (const path of paths()) {
      const { headers } = await get(path, { 'accept-encoding': 'br' });
      const again = await get(path, { 'accept-encoding': 'br', 'if-none-match': `"other", W/${headers.etag!}` });
      expect([again.status, again.body.length]).toEqual([304, 0]);
      for (const name of ['etag', 'cache-control', 'vary', 'content-security-policy', 'access-control-allow-origin']) {
        expect(again.headers[name]).toBe(headers[name]);
      }
      expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
    }
  });

  it('responds to HEAD without a body', async () => {
    for (const path of paths()) {
      const head = await get(path, {}, 'HEAD');
      const full = await get(path);
      expect([head.status, head.body.length, head.headers.etag]).toEqual([200, 0, full.headers.etag]);
    }
  });

  it('has the Cache-Control header of its kind', async () => {
    const caching = async (path: string) => (await get(path)).headers['cache-control'];
    expect(await caching('/bots/widget.js')).toBe('public, max-age=300, stale-while-revalidate=86400');
    for (const asset of assets) expect(await caching(asset)).toBe('public, max-age=31536000, immutable');
    expect(await caching(`/bots/widget/config?botId=${BOT}`)).toBe('public, max-age=60');
    expect(await caching(`/bots/embed/${BOT}`)).toBe('no-cache');
    expect(await caching(`/c/${BOT}`)).toBe('no-cache');
  });

  it('can be loaded by any site, including cross-origin isolated ones', async () => {
    for (const path of ['/bots/widget.js', ...assets, `/bots/widget/config?botId=${BOT}`]) {
      expect((await get(path)).headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      });
    }
    expect((await get(`/bots/embed/${BOT}`)).headers).toMatchObject({
      'cross-origin-embedder-policy': 'credentialless',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });
});

describe('assets', () => {
  it('of another version of the service return the current assets without caching', async () => {
    const { status, headers } = await get('/bots/assets/frame.0123456789abcdef.js');
    expect([status, headers['cache-control'], headers['content-type']]).toEqual([
      200,
      'no-cache',
      'text/javascript; charset=utf-8',
    ]);
  });

  it.each(['manifest.json', 'widget.js', 'frame.js', '..%2Fmanifest.json', 'frame.0123456789abcdef.map', '%00'])(
    'with the name %s return 404',
    async (file) => {
      const { status, body } = await get(`/bots/assets/${file}`);
      expect(status).toBe(404);
      expect(JSON.parse(body.toString())).toMatchObject({ ok: false, code: 'NOT_FOUND' });
    },
  );
});

describe('GET /bots/widget/config', () => {
  it('returns exactly the widget configuration, with URLs from the configuration and never from headers', async () => {
    const { status, body } = await get(`/bots/widget/config?botId=${BOT}`, {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
    });
    expect(status).toBe(200);
    expect(JSON.parse(body.toString())).toEqual({
      ok: true,
      botId: BOT,
      name: expect.stringContaining('Q&A'),
      slug: 'q-and-a',
      locale: 'en',
      color: '#0a7',
      logo: 'https://cdn.example/logo.png',
      welcome: 'Hello "you"',
      apiBase: BASE,
      embedUrl: `${BASE}/bots/embed/${BOT}`,
    });
  });

  it('omits the logo if there is none', async () => {
    const { body } = await get(`/bots/widget/config?botId=${NARROW}`);
    expect(JSON.parse(body.toString())).not.toHaveProperty('logo');
  });

  it.each(['bot_unknown', 'bot_draft', 'bot_paused', 'bot_unpublished', '', '%00', 'x'.repeat(3_000)])(
    'returns exactly 404 BOT_UNAVAILABLE for "%s"',
    async (botId) => {
      for (const format of ['', '&format=module']) {
        const { status, headers, body } = await get(`/bots/widget/config?botId=${botId}${format}`);
        expect([status, body.toString()]).toEqual([404, '{"ok":false,"code":"BOT_UNAVAILABLE"}']);
        expect(headers).toMatchObject({
          'access-control-allow-origin': '*',
          'cross-origin-resource-policy': 'cross-origin',
          'cache-control': 'public, max-age=5',
        });
      }
    },
  );

  it('returns the same without a botId', async () => {
    expect((await get('/bots/widget/config')).body.toString()).toBe('{"ok":false,"code":"BOT_UNAVAILABLE"}');
  });

  it('rejects a repeated botId', async () => {
    const { status, body } = await get(`/bots/widget/config?botId=${BOT}&botId=${BOT}`);
    expect([status, body.toString()]).toEqual([400, '{"ok":false,"code":"INVALID_REQUEST"}']);
  });

  it.each([
    ['too many parameters', 'GET', `&a=1`.repeat(1_001), 400, 'INVALID_REQUEST'],
    ['another method', 'POST', '', 405, 'METHOD_NOT_ALLOWED'],
  ])('returns an error without a message for %s', async (_, method, more, status, code) => {
    const answer = await get(`/bots/widget/config?botId=${BOT}${more}`, {}, method);
    expect([answer.status, answer.body.toString()]).toEqual([status, JSON.stringify({ ok: false, code })]);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
      'cache-control': 'no-store',
    });
  });

  it('returns a module with only data for the loader', async () => {
    const { headers, body } = await get(`/bots/widget/config?botId=${BOT}&format=module`);
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8');
    const text = body.toString();
    expect(text).not.toMatch(/[<>]/);
    const data = JSON.parse(/^export default (.*);\n$/.exec(text)![1]!) as Record<string, unknown>;
    expect(data).toMatchObject({
      color: '#0a7',
      welcome: 'Hello "you"',
      direction: 'ltr',
      hostedUrl: `${BOTS}/c/${BOT}`,
    });
  });
});

describe('the pages of an available bot', () => {
  it.each([`/bots/embed/${BOT}`, `/c/${BOT}`])(
    '%s contain the bot as escaped data, with a strict policy',
    async (path) => {
      const { status, headers, body } = await get(path);
      const html = body.toString();
      expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
      expect(html.match(/<script/g)).toHaveLength(2);
      expect(html).not.toContain('<b>');
      const block = /<script type="application\/json" id="heliograph">(.*?)<\/script>/.exec(html)![1]!;
      expect(JSON.parse(block)).toMatchObject({
        botId: BOT,
        mode: path.startsWith('/c/') ? 'hosted' : 'frame',
        config: { ok: true, botId: BOT, color: '#0a7', welcome: 'Hello "you"' },
      });
      const policy = headers['content-security-policy'] as string;
      for (const directive of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'"]) {
        expect(policy.split('; ')).toContain(directive);
      }
      expect(headers['referrer-policy']).toBe('strict-origin-when-cross-origin');
    },
  );

  it('can be embedded by any site, or only by the allowed domains of the bot', async () => {
    const ancestors = async (botId: string) =>
      /frame-ancestors (.*)$/.exec(
        (await get(`/bots/embed/${botId}`)).headers['content-security-policy'] as string,
      )?.[1];
    expect(await ancestors(BOT)).toBeUndefined();
    expect(await ancestors(NARROW)).toBe("'self' acme.example *.acme.example");
  });
});

describe('the pages of an unavailable bot', () => {
  it.each(['bot_unknown', 'bot_draft', 'bot_paused', 'bot_unpublished', '%3Cscript%3E'])(
    'show this as text with 404: %s',
    async (botId) => {
      for (const path of [`/bots/embed/${botId}`, `/c/${botId}`]) {
        const { status, headers, body } = await get(path);
        expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
        expect(body.toString()).toContain('<h1>This chat is not available</h1>');
        expect(body.toString()).toContain('"config":null');
        expect(body.toString()).not.toContain('<script>');
      }
    },
  );

  it('show this in the language of the browser', async () => {
    const { headers, body } = await get('/c/bot_unknown', { 'accept-language': 'xx, de-CH;q=0.9, en;q=0.8' });
    expect(body.toString()).toContain('<h1>Dieser Chat ist nicht verfügbar</h1>');
    expect(body.toString()).toContain('<html lang="de" dir="ltr">');
    expect(headers.vary).toBe('Accept-Language, Accept-Encoding');
  });
});

it('other methods return 405 with the allowed methods', async () => {
  for (const path of ['/bots/widget.js', '/bots/widget/config', `/c/${BOT}`]) {
    const { status, headers } = await get(path, {}, 'POST');
    expect([status, headers.allow]).toEqual([405, 'GET']);
  }
});
