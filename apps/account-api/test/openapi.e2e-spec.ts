import SwaggerParser from '@apidevtools/swagger-parser';
import { ERROR_STATUS } from '@heliograph/errors';
import { AccountFixture } from './account-fixture';
import { routesOf } from './routes';

interface Operation {
  operationId: string;
  summary?: string;
  security?: object[];
  parameters?: { name: string; in: string }[];
  requestBody?: object;
  responses: Record<string, { content?: Record<string, { schema: { properties?: object } }> }>;
}

describe('the OpenAPI document', () => {
  let fixture: AccountFixture;
  beforeAll(async () => {
    fixture = await AccountFixture.shared();
  });

  const operations = () =>
    Object.entries(fixture.openApi.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        path,
        method,
        name: `${method.toUpperCase()} ${path}`,
        operation: operation as Operation,
      })),
    );
  const namesOf = (parameters: Operation['parameters'], place: string) =>
    (parameters ?? []).filter((one) => one.in === place).map(({ name }) => name);

  it('is valid OpenAPI', async () => {
    await expect(SwaggerParser.validate(structuredClone(fixture.openApi.raw) as never)).resolves.toBeDefined();
  });

  it('describes every existing route and no other route', () => {
    const routes = routesOf(fixture.service).map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
    expect(
      operations()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(routes.sort());
    expect(routes).toEqual(
      expect.arrayContaining([
        'POST /api/auth/login',
        'POST /api/auth/logout',
        'GET /api/auth/session',
        'GET /api/workspaces',
        'GET /api/workspaces/{id}',
        'POST /api/workspaces',
      ]),
    );
  });

  it('gives every operation a unique id and a summary', () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(
      operations()
        .filter(({ operation }) => !operation.summary)
        .map(({ name }) => name),
    ).toEqual([]);
  });

  it('declares four security schemes and the schemes of each operation', () => {
    const schemes = fixture.openApi.document.components.securitySchemes;
    expect(Object.keys(schemes ?? {}).sort()).toEqual(['apiKey', 'bearer', 'operator', 'session']);
    const wrong: string[] = [];
    const either = ['apiKey', 'bearer', 'session'];
    for (const { method, path, access } of routesOf(fixture.service)) {
      const { security = [] } = fixture.openApi.operation(method, path) as Operation;
      const named = security.flatMap((one) => Object.keys(one)).sort();
      const kind = typeof access === 'object' ? access.kind : 'public';
      const expected = { public: [], session: ['session'], operator: ['operator'] }[kind as 'public'] ?? either;
      if (named.join() !== expected.join()) wrong.push(`${method} ${path}: ${named.join()}`);
    }
    expect(wrong).toEqual([]);
  });

  it('describes all path parameters, query fields and body fields', () => {
    const wrong: string[] = [];
    for (const { name, path, method, operation } of operations()) {
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameter]) => parameter);
      if (inPath.sort().join() !== namesOf(operation.parameters, 'path').sort().join()) wrong.push(`${name}: path`);
      if (method === 'put' || method === 'patch') if (!operation.requestBody) wrong.push(`${name}: body`);
    }
    expect(wrong).toEqual([]);
    const ledger = fixture.openApi.operation('GET', '/api/workspaces/x/credits/ledger') as Operation;
    expect(namesOf(ledger.parameters, 'query').sort()).toEqual([
      'creditType',
      'cursor',
      'from',
      'kind',
      'limit',
      'reference',
      'to',
    ]);
    const keys = fixture.openApi.operation('POST', '/api/organization/api-keys') as Operation;
    expect(namesOf(keys.parameters, 'header')).toEqual(['Idempotency-Key']);
  });

  it('documents the Idempotency-Key for every write of an organization, a workspace and the operator', () => {
    // These operations change nothing; the last one sends a sample.
    const previews = /\/(?:preview|quote|device\/lookup|webhooks\/:webhookId\/test)$/;
    const without: string[] = [];
    for (const { method, path, access } of routesOf(fixture.service)) {
      // Updates and deletions of the v1 API are idempotent without a key.
      if (path.startsWith('/api/v1/') && method !== 'POST') continue;
      if (method === 'GET' || previews.test(path) || typeof access !== 'object' || access.kind === 'session') continue;
      const { parameters } = fixture.openApi.operation(method, path) as Operation;
      if (!namesOf(parameters, 'header').includes('Idempotency-Key')) without.push(`${method} ${path}`);
    }
    expect(without).toEqual([]);
  });

  it('lists every error code', () => {
    const { code } = fixture.openApi.document.components.schemas['ErrorBody']!.properties as never as {
      code: { enum: string[] };
    };
    expect([...code.enum].sort()).toEqual(Object.keys(ERROR_STATUS).sort());
  });

  it('lists the common error responses of every operation in the format of its API', () => {
    const wrong: string[] = [];
    for (const { name, operation } of operations()) {
      const statuses = Object.keys(operation.responses);
      for (const status of ['429', '500', '503']) if (!statuses.includes(status)) wrong.push(`${name}: ${status}`);
      if (operation.security?.length && !statuses.includes('401')) wrong.push(`${name}: 401`);
      for (const status of statuses.filter((one) => Number(one) >= 400)) {
        const json = operation.responses[status]!.content?.['application/json'];
        const fields = Object.keys(json?.schema.properties ?? {}).join();
        const expected = name.includes(' /api/v1/') ? 'code,message,fields,contact_id' : 'ok,error';
        if (fields !== expected) wrong.push(`${name}: ${status} has the wrong format`);
      }
    }
    expect(wrong).toEqual([]);
  });

  it('is rendered at /docs', async () => {
    const response = await fetch(`${fixture.service.url}/docs`);
    expect([response.status, response.headers.get('content-type')?.startsWith('text/html')]).toEqual([200, true]);
  });

  it('documents the errors of an Idempotency-Key for every operation that takes one', () => {
    expect(fixture.openApi.withoutIdempotencyErrors()).toEqual([]);
  });
});
