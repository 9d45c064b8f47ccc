import { execFile, execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { SERVICES } from '../src/routes';
import { metricProblems } from './metric-problems';
import { root, StackProcess } from './stack-process.fixture';

const APIS = ['v1', ...SERVICES];

describe('the OpenAPI documents and the metrics of all services', () => {
  let stack: StackProcess;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'openapi-'));
    stack = await StackProcess.prepare();
    await stack.start();
  }, 90_000);
  afterAll(async () => {
    await stack.remove();
    await rm(folder, { recursive: true, force: true });
  });

  const gateway = (route: string) => fetch(`http://localhost:${stack.port}${route}`);
  const service = (index: number, route: string, init?: RequestInit) =>
    fetch(`http://localhost:${stack.port + 1 + index}${route}`, init);
  const check = (documents: string) =>
    new Promise<string>((resolve) =>
      execFile(process.execPath, ['tools/check-openapi.mjs', documents], { cwd: root }, (error, stdout, stderr) =>
        resolve(error && stdout === '' ? stderr : stdout),
      ),
    );

  it('row 30: the gateway serves one reference with the documents of all services', async () => {
    const overview = await (await gateway('/docs')).text();
    for (const api of APIS) {
      expect(overview).toContain(`href="/docs/${api}"`);
      const [page, document] = await Promise.all([gateway(`/docs/${api}`), gateway(`/docs/${api}/openapi.json`)]);
      expect([api, page.status, document.status]).toEqual([api, 200, 200]);
      await writeFile(path.join(folder, `${api}.json`), await document.text());
    }
    expect((await gateway('/api/v1/docs')).status).toBe(200);
    for (const [index, name] of SERVICES.entries()) {
      expect([name, (await service(index, '/docs')).status]).toEqual([name, 200]);
    }
  });

  it('row 32: linters, generators and strict compilers accept every document', async () => {
    expect(await check(folder)).toBe('');
  }, 120_000);

  it('row 32: documents that generators misinterpret are detected', async () => {
    const schema = {
      type: 'object',
      properties: { draft: { type: 'object', default: false }, limit: { type: 'integer', default: 20 } },
    };
    const document = {
      openapi: '3.0.0',
      info: { title: 'Bad', version: '1' },
      servers: [],
      paths: {
        '/bad': {
          post: {
            requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Bad' } } } },
            responses: { 200: { description: 'OK' }, 400: { description: 'INVALID' } },
          },
        },
      },
      components: { schemas: { Bad: schema } },
    };
    const bad = path.join(folder, 'bad');
    await mkdir(bad);
    await writeFile(path.join(bad, 'v1.json'), JSON.stringify(document));
    const found = await check(bad);
    expect(found).toContain('(security-defined)');
    expect(found).toContain('(no-empty-servers)');
    expect(found).toContain('required: "limit"');
    expect(found).toMatch(/zod\.gen\.ts.*not assignable|No overload matches/);
  }, 120_000);

  it('row 31: metrics of every service follow the conventions of Prometheus', async () => {
    const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
    for (const [index, name] of SERVICES.entries()) {
      const text = await (await service(index, '/metrics')).text();
      expect([name, metricProblems(text)]).toEqual([name, []]);
      if (hasPromtool) execFileSync('promtool', ['check', 'metrics'], { input: text, stdio: 'pipe' });
    }
  });

  it('row 31: calls are counted by method and route template', async () => {
    const account = SERVICES.indexOf('account-api');
    await service(account, '/api/workspaces/0190a0a0-0000-7000-8000-000000000000/credits');
    await service(account, '/no/such/path');
    await service(SERVICES.indexOf('billing-hook'), '/api/webhooks/payments', { method: 'POST', body: '{}' });
    const routes: string[] = [];
    for (const [index] of SERVICES.entries()) {
      const text = await (await service(index, '/metrics')).text();
      const series = text.matchAll(
        /^http_request_duration_seconds_count\{.*method="(\w+)",route="(.*)",status=.* \d+$/gm,
      );
      routes.push(...[...series].map(([, method, route]) => `${method} ${route}`));
    }
    expect(routes).toEqual(
      expect.arrayContaining([
        'GET /docs/:api/openapi.json',
        'GET /api/workspaces/:id/credits',
        'GET none',
        'POST /api/webhooks/payments',
      ]),
    );
    expect(routes.filter((one) => /[0-9a-f]{8}-|no\/such/.test(one))).toEqual([]);
  });
});
