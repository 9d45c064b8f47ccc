import SwaggerParser from '@apidevtools/swagger-parser';
import { OpenApiCheck, type HttpResponse } from '@heliograph/testing';
import { ChatappFixture, newNumber, type ChatappTenant } from './chatapp-fixture';

interface Parameter {
  name: string;
  in: string;
}

describe('the OpenAPI document', () => {
  let chatapp: ChatappFixture;
  let tenant: ChatappTenant;
  let openApi: OpenApiCheck;
  beforeAll(async () => {
    chatapp = await ChatappFixture.shared();
    tenant = await chatapp.tenant();
    openApi = await OpenApiCheck.read(chatapp.service.url);
  });

  it('is valid OpenAPI and contains every endpoint of the contract', async () => {
    await expect(SwaggerParser.validate(structuredClone(openApi.raw) as never)).resolves.toBeDefined();
    const described = Object.entries(openApi.document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual([
      'DELETE /chatapp/templates/{name}',
      'GET /api/me',
      'GET /chatapp/account',
      'GET /chatapp/balance',
      'GET /chatapp/consents',
      'GET /chatapp/media/{id}',
      'GET /chatapp/media/{id}/content',
      'GET /chatapp/messages',
      'GET /chatapp/send',
      'GET /chatapp/status',
      'GET /chatapp/templates',
      'POST /api/v1/chatapp/quote',
      'POST /chatapp/consents',
      'POST /chatapp/mark-read',
      'POST /chatapp/media',
      'POST /chatapp/send',
      'POST /chatapp/templates',
      'POST /chatapp/templates/sync',
    ]);
  });

  it('describes only fields that a query string can contain as query parameters of a send', () => {
    const { parameters } = openApi.document.paths['/chatapp/send']!['get'] as unknown as { parameters: Parameter[] };
    const names = parameters.filter((parameter) => parameter.in === 'query').map(({ name }) => name);
    expect(names.sort()).toEqual(['category', 'language', 'template', 'text', 'to', 'type']);
  });

  it('matches the real responses of every operation', async () => {
    const { key } = tenant;
    const to = await chatapp.openNumber();
    const text = { to, text: 'Hi' };
    const sent = await chatapp.send(tenant, text);
    const messageId = await chatapp.inbound(to);
    const poor = await chatapp.tenant({ credits: 1 });
    const name = await chatapp.template(null);
    const template = { to: newNumber(), type: 'template', template: { name } };
    const limited = newNumber();
    chatapp.provider.behave({ error: { status: 429, code: 130429, message: 'slow' } }, limited);
    const broken = newNumber();
    chatapp.provider.behave({ error: { status: 500, code: 1, message: 'sorry' } }, broken);
    const out = newNumber();
    await chatapp.consent(tenant.organizationId, out, 'opted_out');
    const made = {
      name: 'made_here',
      language: 'en_US',
      category: 'utility',
      components: [{ type: 'BODY', text: 'Hello {{1}}, your order is on its way' }],
    };
    const get = (path: string): Promise<HttpResponse> => chatapp.call(path, { key });
    const cases: [string, string, number, HttpResponse][] = [
      ['post', '/chatapp/send', 200, sent],
      ['post', '/chatapp/send', 200, await chatapp.send(tenant, template)],
      ['post', '/chatapp/send', 400, await chatapp.send(tenant, {})],
      ['post', '/chatapp/send', 401, await chatapp.post(null, '/chatapp/send', {})],
      ['post', '/chatapp/send', 402, await chatapp.send(poor, template)],
      ['post', '/chatapp/send', 409, await chatapp.send(tenant, { ...template, to: out })],
      ['post', '/chatapp/send', 413, await chatapp.send(tenant, ' '.repeat(1_100_000))],
      ['post', '/chatapp/send', 429, await chatapp.send(tenant, { ...template, to: limited })],
      ['post', '/chatapp/send', 502, await chatapp.send(tenant, { ...template, to: broken })],
      ['get', '/chatapp/send', 200, await get(`/chatapp/send?to=${to.slice(1)}&text=Hi`)],
      ['get', '/chatapp/status', 200, await get(`/chatapp/status?id=${String(sent.body['id'])}`)],
      ['get', '/chatapp/status', 200, await get(`/chatapp/status?id=${encodeURIComponent(messageId)}`)],
      ['get', '/chatapp/status', 400, await get('/chatapp/status')],
      ['get', '/chatapp/status', 404, await get('/chatapp/status?id=x')],
      ['get', '/chatapp/messages', 200, await get('/chatapp/messages')],
      ['get', '/chatapp/account', 200, await get('/chatapp/account')],
      ['get', '/chatapp/balance', 200, await get('/chatapp/balance')],
      ['get', '/chatapp/consents', 200, await get('/chatapp/consents')],
      ['post', '/chatapp/consents', 200, await chatapp.post(key, '/chatapp/consents', { number: to })],
      ['post', '/chatapp/consents', 400, await chatapp.post(key, '/chatapp/consents', {})],
      ['post', '/chatapp/mark-read', 200, await chatapp.post(key, '/chatapp/mark-read', { messageId })],
      ['post', '/chatapp/mark-read', 404, await chatapp.post(key, '/chatapp/mark-read', { messageId: 'x' })],
      ['post', '/chatapp/templates', 200, await chatapp.post(key, '/chatapp/templates', made)],
      ['post', '/chatapp/templates', 400, await chatapp.post(key, '/chatapp/templates', {})],
      ['get', '/chatapp/templates', 200, await get('/chatapp/templates')],
      ['post', '/chatapp/templates/sync', 200, await chatapp.post(key, '/chatapp/templates/sync', {})],
      [
        'delete',
        '/chatapp/templates/{name}',
        200,
        await chatapp.call('/chatapp/templates/made_here', { method: 'DELETE', key }),
      ],
      ['post', '/chatapp/media', 400, await chatapp.post(key, '/chatapp/media', {})],
      ['get', '/chatapp/media/{id}', 404, await get('/chatapp/media/4711')],
      ['get', '/chatapp/media/{id}/content', 403, await chatapp.call('/chatapp/media/4711/content')],
      ['get', '/api/me', 200, await get('/api/me')],
    ];
    for (const [method, path, status, { headers, body, ...answer }] of cases) {
      expect([method, path, answer.status, answer.status === status ? null : body]).toEqual([
        method,
        path,
        status,
        null,
      ]);
      const problems = openApi.problems(method, path, status, headers.get('content-type'), body);
      expect([method, path, status, problems]).toEqual([method, path, status, null]);
    }
  });

  it('documents the errors of an Idempotency-Key for every operation that takes one', () => {
    expect(openApi.withoutIdempotencyErrors()).toEqual([]);
  });
});
