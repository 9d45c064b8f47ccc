import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { rawRequest } from '@heliograph/testing';
import { AccountFixture } from './account-fixture';
import { otherService } from './other-service';

let fixture: AccountFixture;
let sms: Server;
beforeAll(async () => {
  sms = await otherService();
  const url = `http://127.0.0.1:${(sms.address() as AddressInfo).port}`;
  // No process listens at the address of bot-runtime.
  const shared = await AccountFixture.shared();
  fixture = await shared.beside({ SMS_API_URL: url, EMAIL_API_URL: url, BOT_RUNTIME_URL: 'http://127.0.0.1:1' });
});
afterAll(async () => {
  await fixture?.service.stop();
  sms?.close();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  rawRequest(`${fixture.service.url}${path}`, headers);
const page = async (path: string) => (await get(path)).body.toString();
/** The addresses of the pages of all resources. */
const resources = async () => {
  const links = (await page('/docs/llms.txt')).matchAll(
    /\]\(https?:\/\/[^/]+(\/docs\/(?!guides)[\w-]+\/[\w-]+)\.md\)/g,
  );
  return [...links].map(([, url]) => url!);
};

describe('row 30: the API reference', () => {
  it('lists the v1 API and the APIs of all services', async () => {
    const text = await page('/docs');
    const [, menu = '', cards = ''] = text.split(/<h2>OpenAPI documents|<p>OpenAPI/);
    for (const list of [menu, cards]) {
      const apis = [...list.matchAll(/href="\/docs\/([\w-]+)"/g)].map(([, id]) => id);
      expect([...new Set(apis)]).toEqual(
        expect.arrayContaining(['v1', 'sms-api', 'email-api', 'bot-runtime', 'account-api']),
      );
    }
  });

  it('shows every operation on the page of its resource, and none on two pages', async () => {
    const document = fixture.openApi.raw as { paths: Record<string, Record<string, { operationId: string }>> };
    const urls = await resources();
    const shown = await Promise.all(urls.map(page));
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()}</span> <code>${path}</code></p>`),
    );
    const problems = operations.filter((one) => shown.filter((text) => text.includes(one)).length !== 1);
    expect(problems).toEqual([]);
  });

  it('has pages for operators apart from those for customers', async () => {
    const llms = await page('/docs/llms.txt');
    expect(llms.split('## For operators')[0]).not.toContain('/docs/operator/');
    const urls = (await resources()).filter((url) => !url.startsWith('/docs/operator/'));
    for (const text of await Promise.all(urls.map(page))) expect(text).not.toContain('<code>/api/platform');
  });

  it('serves the page of every resource as Markdown too', async () => {
    for (const url of await resources()) {
      const { status, headers, body } = await get(`${url}.md`);
      expect([url, status, headers['content-type']]).toEqual([url, 200, 'text/markdown; charset=utf-8']);
      expect(body.toString()).toMatch(/^# .+\n\n.+\n\n## /);
    }
    expect((await get('/docs/sms/nothing.md')).status).toBe(404);
  });

  it('shows the v1 API at /api/v1/docs, with the routes of other services', async () => {
    const { status, headers, body } = await get('/api/v1/docs');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(body.toString()).toContain('/docs/audience/contacts#');
    expect(body.toString()).toContain('/api/v1/sms/send');
    expect(await page('/docs/sms-api')).not.toContain('<code>/api/v1/sms/send');
  });

  it('serves the OpenAPI documents as JSON', async () => {
    expect(JSON.parse(await page('/docs/account-api/openapi.json'))).toEqual(fixture.openApi.raw);
    expect(JSON.parse(await page('/docs/sms-api/openapi.json'))).toMatchObject({ info: { title: 'SMS API' } });
  });

  it('searches all documents that are available', async () => {
    const found = JSON.parse(await page('/docs/search.json?q=send+sms')) as { url: string; api: string }[];
    expect(found.map(({ url }) => url)).toContain('/docs/sms/calls-without-version#sendSms');
    const results = await page('/docs/search?q=%3Cscript%3E');
    expect(results).toContain('No results for “&lt;script&gt;”');
    expect(JSON.parse(await page('/docs/search.json'))).toEqual([]);
    expect(JSON.parse(await page(`/docs/search.json?q=${'a'.repeat(5_000)}&q=b&x=1`))).toEqual([]);
  });

  it('returns an HTML page for unknown paths (404) and unavailable documents (503)', async () => {
    for (const path of ['/docs/nothing', '/docs/account/nothing', '/docs/nothing/nothing']) {
      const { status, headers } = await get(path);
      expect([path, status, headers['content-type']]).toEqual([path, 404, 'text/html; charset=utf-8']);
    }
    for (const path of ['/docs/bot-runtime', '/docs/bots/widget']) {
      const { status, body } = await get(path);
      expect([path, status]).toEqual([path, 503]);
      expect(body.toString()).toContain('Not available');
    }
    for (const name of ['reference.0000.js', '__proto__', 'toString'])
      expect([name, (await get(`/docs/assets/${name}`)).status]).toEqual([name, 404]);
  });

  it('has a page of every guide, with samples for this address, and the same as Markdown', async () => {
    const guides = [
      ...new Set([...(await page('/docs')).matchAll(/href="(\/docs\/guides\/[\w-]+)"/g)].map(([, url]) => url!)),
    ];
    expect(guides.length).toBeGreaterThan(9);
    for (const guide of guides) {
      const text = await page(guide);
      expect([guide, text.includes('<article class="prose">'), text.includes('localhost:8080')]).toEqual([
        guide,
        true,
        false,
      ]);
      // Links between guides and to the reference lead to pages.
      for (const [, link = ''] of text.matchAll(/href="((?!https?:|#|data:|\/docs\/assets)[^"#]+)/g)) {
        const { pathname } = new URL(link, `http://x${guide}`);
        // These services are not running here.
        if (/\/docs\/(bot-runtime|chatapp-api|chat-app\/|email\/calls|sms\/soap|bots\/)/.test(pathname)) continue;
        expect([guide, pathname, (await get(pathname)).status]).toEqual([guide, pathname, 200]);
      }
    }
    const { headers, body } = await get('/docs/guides/errors.md');
    expect(headers['content-type']).toBe('text/markdown; charset=utf-8');
    expect(body.toString()).toContain('### INSUFFICIENT_CREDITS');
    expect((await get('/docs/guides/nothing')).status).toBe(404);
    expect((await get('/docs/guides/nothing.md')).status).toBe(404);
  });

  it('lists all pages for language models', async () => {
    const { headers, body } = await get('/docs/llms.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    for (const url of body.toString().matchAll(/\]\(https?:\/\/[^/]+([^)]+)\)/g)) {
      if (url[1]?.includes('bot-runtime')) continue;
      expect([url[1], (await get(url[1]!)).status]).toEqual([url[1], 200]);
    }
  });

  it('explains the code of every error at the address in its Link header', async () => {
    for (const path of ['/api/v1/contacts', '/api/workspaces', '/api/v1/contacts?limit=x', '/nothing']) {
      const { status, headers } = await get(path);
      const [, url = '', anchor] = /^<(\S+)#([a-z-]+)>; rel="help"$/.exec(String(headers['link'])) ?? [];
      expect([path, status >= 400, (await page(url)).includes(`id="${anchor}"`)]).toEqual([path, true, true]);
    }
  });

  it('states what the guards enforce in the OpenAPI document', () => {
    const { paths } = fixture.openApi.raw as { paths: Record<string, Record<string, object>> };
    expect(paths['/api/organization/api-keys']?.['post']).toMatchObject({
      'x-access': { permission: 'keys:write', roles: ['owner', 'admin'] },
      'x-limits': { bodyBytes: 1_000_000 },
    });
    expect(paths['/api/v1/contacts']?.['get']).toMatchObject({
      'x-access': { permission: 'contacts:read', roles: ['owner', 'admin', 'member', 'viewer'] },
    });
    expect(paths['/api/auth/login']?.['post']).not.toHaveProperty('x-access');
  });

  it('searches guides and error codes too', async () => {
    const found = JSON.parse(await page('/docs/search.json?q=insufficient_credits')) as { url: string }[];
    expect(found[0]?.url).toBe('/docs/guides/errors#insufficient-credits');
  });

  it('serves compressed assets with a hash in their names, which browsers cache for a year', async () => {
    const files = [...(await page('/docs')).matchAll(/(?:href|src)="(\/docs\/assets\/[^"]+)"/g)].map(([, url]) => url!);
    expect(files).toHaveLength(2);
    for (const file of files) {
      expect(file).toMatch(/\.[0-9a-f]{16}\.(js|css)$/);
      const [plain, br, zipped] = await Promise.all(
        ['identity', 'gzip, br', 'gzip'].map((coding) => get(file, { 'accept-encoding': coding })),
      );
      expect(brotliDecompressSync(br!.body)).toEqual(plain!.body);
      expect(gunzipSync(zipped!.body)).toEqual(plain!.body);
      expect(br!.headers).toMatchObject({
        'content-encoding': 'br',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      expect(br!.body.length).toBeLessThan(4_000);
    }
  });

  it('serves compressed pages, and 304 to browsers that have the current version', async () => {
    const path = '/docs/email/domains';
    const { headers, body } = await get(path, { 'accept-encoding': 'br' });
    expect(headers).toMatchObject({ 'content-encoding': 'br', 'cache-control': 'no-cache', vary: 'Accept-Encoding' });
    expect(body.length).toBeLessThan(20_000);
    const again = await get(path, { 'accept-encoding': 'br', 'if-none-match': headers.etag! });
    expect([again.status, again.body.length]).toEqual([304, 0]);
  });

  it('allows neither inline scripts nor other hosts', async () => {
    const policy = String((await get('/docs')).headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("require-trusted-types-for 'script'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    expect(await page('/docs/email/domains')).not.toMatch(/<script(?![^>]*\ssrc=)|<style| style=| on\w+=/);
  });
});
