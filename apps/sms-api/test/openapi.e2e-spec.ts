import SwaggerParser from '@apidevtools/swagger-parser';
import { ERROR_STATUS } from '@heliograph/errors';
import { OpenApiCheck, type OpenApiOperation } from '@heliograph/testing';
import { call, postForm, postJson, postXml, smsRequest, urlEncode, type Answer } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

function soap(namespace: string, request: string): string {
  return `<s:Envelope xmlns:s="${namespace}"><s:Body>${request}</s:Body></s:Envelope>`;
}

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

  it.each([
    ['XML without an envelope', (request: string) => request, 'application/xml'],
    ['SOAP 1.1', (request: string) => soap('http://schemas.xmlsoap.org/soap/envelope/', request), 'text/xml'],
    ['SOAP 1.2', (request: string) => soap('http://www.w3.org/2003/05/soap-envelope', request), 'application/soap+xml'],
  ])('documents the content type of every response to %s', async (_style, inEnvelope, type) => {
    const { key } = tenant;
    const poor = await sms.tenant({ credits: 0 });
    const reader = await sms.tenants.key(tenant.organizationId, { scopes: ['sms:read'] });
    const fields = () => ({ from: tenant.sender.header, to: sms.recipient(), message: 'x' });
    const headers = { 'Content-Type': type };
    const post = (own: string | null, body: string, more: Record<string, string> = {}) =>
      postXml(sms, own, body, {
        headers: { ...headers, ...more, ...(type === 'text/xml' ? { SOAPAction: '""' } : {}) },
      });
    const request = (given: Record<string, string>) => inEnvelope(smsRequest(given));
    const used = { 'Idempotency-Key': `used-${type}` };
    const sent = await post(key, request(fields()), used);
    const cases: [number, Answer][] = [
      [200, sent],
      [400, await post(key, request({ from: 'x' }))],
      [400, await post(key, inEnvelope('<a'))],
      [401, await post(null, request(fields()))],
      [402, await post(poor.key, request({ ...fields(), from: poor.sender.header }))],
      [403, await post(reader, request(fields()))],
      [409, await post(key, request(fields()), used)],
      [413, await post(key, ' '.repeat(300_000))],
    ];
    for (const [status, answer] of cases) {
      expect(answer.status).toBe(type === 'text/xml' && status !== 200 ? 500 : status);
      expect(answer.headers.get('content-type')).toBe(`${type}; charset=utf-8`);
      expect([status, problems('post', '/sms/soap', answer)]).toEqual([status, null]);
    }
  });

  it('documents the content types of SOAP by status', async () => {
    const { get, post } = openApi.document.paths['/sms/soap']!;
    const types = (operation: OpenApiOperation, status: string) =>
      Object.keys(operation.responses[status]?.content ?? {}).sort();
    const all = ['application/soap+xml', 'application/xml', 'text/xml'];
    for (const status of Object.keys(post!.responses)) {
      const documented = ['200', '500'].includes(status) ? all : all.slice(0, 2);
      expect([status, types(post!, status)]).toEqual([status, documented]);
    }
    expect([types(get!, '200'), types(get!, '405')]).toEqual([['text/xml'], ['application/xml']]);
    for (const [path, status] of [
      ['/sms/soap?wsdl', 200],
      ['/sms/soap', 405],
    ] as const) {
      const answer = await call(sms, path);
      expect([answer.status, problems('get', '/sms/soap', answer)]).toEqual([status, null]);
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
