import SwaggerParser from '@apidevtools/swagger-parser';
import { ERROR_STATUS } from '@heliograph/errors';
import { OpenApiCheck } from '@heliograph/testing';
import { call, postForm, postJson, postXml, smsRequest, urlEncode, type Answer } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

describe('the OpenAPI document', () => {
  let sms: SmsFixture;
  let tenant: SmsTenant;
  let openApi: OpenApiCheck;
  beforeAll(async () => {
    sms = await SmsFixture.shared();
    tenant = await sms.tenant();
    openApi = await OpenApiCheck.read(sms.service.url);
  });

  const operations = () =>
    Object.entries(openApi.document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
    );
  /** Validates a response against the schema of its operation and status; returns the errors. */
  const problems = (method: string, path: string, { status, headers, body }: Answer) =>
    openApi.operation(method, path)
      ? openApi.problems(method, path, status, headers.get('content-type'), body)
      : `${method} ${path} is not described`;

  it('is valid OpenAPI', async () => {
    await expect(SwaggerParser.validate(structuredClone(openApi.raw) as never)).resolves.toBeDefined();
  });

  it('describes every endpoint of the contract under both prefixes', () => {
    const described = operations().map(({ path, method }) => `${method.toUpperCase()} ${path}`);
    expect(described).toEqual(
      expect.arrayContaining([
        'POST /sms/send',
        'GET /sms/send',
        'POST /sms/soap',
        'GET /sms/soap',
        'GET /sms/status',
        'POST /sms/cancel',
        'GET /sms/senders',
        'GET /sms/templates',
        'GET /sms/balance',
        'GET /api/me',
        'POST /api/v1/sms/send',
        'POST /api/v1/sms/bulk',
        'GET /api/v1/sms/delivery/{id}',
        'GET /api/v1/sms/messages',
        'POST /api/v1/sms/templates',
        'GET /api/v1/sms/templates',
      ]),
    );
    const { servers } = openApi.raw as { servers: { url: string }[] };
    expect(servers.map(({ url }) => url)).toEqual(['/', '/api']);
  });

  it('has a unique id and both API key headers for every operation', () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(openApi.document.components.securitySchemes ?? {}).sort()).toEqual(['apiKey', 'bearer']);
  });

  it('lists every error code', () => {
    const { code } = openApi.document.components.schemas['ErrorBody']!.properties as { code: { enum: string[] } };
    expect([...code.enum].sort()).toEqual(Object.keys(ERROR_STATUS).sort());
  });

  it('lists the common error responses for every operation', () => {
    for (const { path, method, operation } of operations()) {
      if (method === 'head' || (method === 'get' && path === '/sms/soap')) continue;
      expect([path, method, Object.keys(operation.responses)]).toEqual([
        path,
        method,
        expect.arrayContaining(['401', '403', '429', '500', '503']),
      ]);
    }
  });

  it('matches the responses of every operation', async () => {
    const { key } = tenant;
    const fields = () => ({ from: tenant.sender.header, to: sms.recipient(), message: 'x' });
    const scheduled = { ...fields(), scheduledAt: '2099-01-01T00:00:00Z' };
    const sent = await postJson(sms, key, scheduled);
    const id = String(sent.body['messageId']);
    const nobody = await sms.tenants.organization();
    const keyOfNobody = await sms.tenants.key(nobody.id, { scopes: ['sms:read'] });
    const poor = await sms.tenant({ credits: 0 });
    const cases: [string, string, number, Answer][] = [
      ['post', '/sms/send', 200, sent],
      ['post', '/sms/send', 200, await postForm(sms, key, urlEncode(fields()))],
      ['get', '/sms/send', 200, await call(sms, `/sms/send?${urlEncode(fields())}`, { key })],
      ['post', '/sms/send', 400, await postJson(sms, key, {})],
      ['post', '/sms/send', 401, await postJson(sms, null, {})],
      ['post', '/sms/send', 402, await postJson(sms, poor.key, { ...fields(), from: poor.sender.header })],
      ['post', '/sms/send', 403, await postJson(sms, keyOfNobody, {})],
      ['post', '/sms/send', 413, await postJson(sms, key, ' '.repeat(1_100_000))],
      ['get', '/sms/send', 400, await call(sms, '/sms/send', { key })],
      ['get', '/sms/status', 200, await call(sms, `/sms/status?id=${id}`, { key })],
      ['get', '/sms/status', 400, await call(sms, '/sms/status', { key })],
      ['get', '/sms/status', 404, await call(sms, '/sms/status?id=x', { key })],
      ['post', '/sms/cancel', 200, await call(sms, `/sms/cancel?id=${id}`, { method: 'POST', key })],
      ['post', '/sms/cancel', 409, await call(sms, `/sms/cancel?id=${id}`, { method: 'POST', key })],
      ['post', '/sms/cancel', 404, await call(sms, '/sms/cancel?id=x', { method: 'POST', key })],
      ['get', '/sms/senders', 200, await call(sms, '/sms/senders', { key })],
      ['get', '/sms/templates', 200, await call(sms, '/sms/templates', { key })],
      ['get', '/sms/balance', 200, await call(sms, '/sms/balance', { key })],
      ['get', '/sms/balance', 409, await call(sms, '/sms/balance', { key: keyOfNobody })],
      ['get', '/api/me', 200, await call(sms, '/api/me', { key })],
      ['get', '/api/me', 401, await call(sms, '/api/me')],
    ];
    for (const [method, path, status, answer] of cases) {
      expect([method, path, answer.status]).toEqual([method, path, status]);
      expect([method, path, status, problems(method, path, answer)]).toEqual([method, path, status, null]);
    }
  });

  it('documents the SOAP responses as XML', async () => {
    const answer = await postXml(sms, tenant.key, smsRequest({ from: 'x' }));
    const { responses } = openApi.document.paths['/sms/soap']!['post']!;
    expect(Object.keys(responses)).toContain(String(answer.status));
    for (const status of ['200', '400', '401', '403', '409', '402']) {
      expect([status, Object.keys(responses[status]?.content ?? {})]).toEqual([status, ['application/xml']]);
    }
  });

  it('is rendered at /docs', async () => {
    const { status, headers } = await call(sms, '/docs');
    expect([status, headers.get('content-type')?.startsWith('text/html')]).toEqual([200, true]);
  });

  it('documents the errors of an Idempotency-Key for every operation that takes one', () => {
    expect(openApi.withoutIdempotencyErrors()).toEqual([]);
  });
});
