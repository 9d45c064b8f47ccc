import SwaggerParser from '@apidevtools/swagger-parser';
import { OpenApiCheck } from '@heliograph/testing';
import { call, send, type Answer } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';

describe('the OpenAPI document', () => {
  let email: EmailFixture;
  let tenant: EmailTenant;
  let openApi: OpenApiCheck;
  beforeAll(async () => {
    email = await EmailFixture.shared();
    tenant = await email.tenant();
    openApi = await OpenApiCheck.read(email.service.url);
  });

  it('is valid OpenAPI, with every endpoint of the contract', async () => {
    await expect(SwaggerParser.validate(structuredClone(openApi.raw) as never)).resolves.toBeDefined();
    const described = Object.entries(openApi.document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual([
      'GET /api/me',
      'GET /api/v1/email/campaigns',
      'GET /api/v1/email/campaigns/{id}',
      'GET /api/v1/email/messages',
      'GET /api/v1/email/messages/{id}',
      'GET /api/v1/email/templates',
      'GET /email/balance',
      'GET /email/senders',
      'GET /email/status',
      'GET /email/templates',
      'POST /api/v1/email/bulk',
      'POST /api/v1/email/campaigns',
      'POST /api/v1/email/campaigns/estimate',
      'POST /api/v1/email/campaigns/{id}/cancel',
      'POST /api/v1/email/campaigns/{id}/pause',
      'POST /api/v1/email/campaigns/{id}/resume',
      'POST /api/v1/email/campaigns/{id}/start',
      'POST /api/v1/email/quote',
      'POST /api/v1/email/send',
      'POST /api/v1/email/templates',
      'POST /email/cancel',
      'POST /email/send',
      'PUT /api/v1/email/campaigns/{id}',
    ]);
  });

  it('matches the responses of every operation', async () => {
    const { key } = tenant;
    const fields = (): object => ({ to: email.recipient(), subject: 'Hi', text: 'Hi' });
    await email.template(tenant.organizationId);
    const sent = await send(email, key, fields());
    const scheduled = await send(email, key, { ...fields(), scheduledAt: '2099-01-01T00:00:00Z' });
    const id = String(scheduled.body['id']);
    const poor = await email.tenant({ credits: 0 });
    const nobody = await email.tenants.organization();
    const keyOfNobody = await email.tenants.key(nobody.id, { scopes: ['email:read'] });
    const refused = email.recipient();
    email.mailbox.behave({ reply: { code: 550, text: '5.7.1 no' } }, refused);
    const cases: [string, string, number, Answer][] = [
      ['post', '/email/send', 200, sent],
      ['post', '/email/send', 200, scheduled],
      ['post', '/email/send', 400, await send(email, key, {})],
      ['post', '/email/send', 401, await send(email, null, {})],
      ['post', '/email/send', 402, await send(email, poor.key, fields())],
      ['post', '/email/send', 403, await send(email, keyOfNobody, {})],
      ['post', '/email/send', 413, await send(email, key, ' '.repeat(10_100_000))],
      ['post', '/email/send', 502, await send(email, key, { ...fields(), to: refused })],
      ['get', '/email/status', 200, await call(email, `/email/status?messageId=${id}`, { key })],
      ['get', '/email/status', 400, await call(email, '/email/status', { key })],
      ['get', '/email/status', 404, await call(email, '/email/status?id=x', { key })],
      ['post', '/email/cancel', 200, await call(email, `/email/cancel?id=${id}`, { method: 'POST', key })],
      ['post', '/email/cancel', 409, await call(email, `/email/cancel?id=${id}`, { method: 'POST', key })],
      ['get', '/email/senders', 200, await call(email, '/email/senders', { key })],
      ['get', '/email/templates', 200, await call(email, '/email/templates', { key })],
      ['get', '/email/balance', 200, await call(email, '/email/balance', { key })],
      ['get', '/email/balance', 409, await call(email, '/email/balance', { key: keyOfNobody })],
      ['get', '/api/me', 200, await call(email, '/api/me', { key })],
    ];
    for (const [method, path, status, { headers, body, ...answer }] of cases) {
      expect([method, path, answer.status]).toEqual([method, path, status]);
      const problems = openApi.problems(method, path, status, headers.get('content-type'), body);
      expect([method, path, status, problems]).toEqual([method, path, status, null]);
    }
  });

  it('documents the errors of an Idempotency-Key for every operation that takes one', () => {
    expect(openApi.withoutIdempotencyErrors()).toEqual([]);
  });
});

describe('response records', () => {
  let email: EmailFixture;
  let tenant: EmailTenant;
  beforeAll(async () => {
    email = await EmailFixture.shared();
    tenant = await email.tenant();
  });

  it('list the senders on verified domains', async () => {
    const { body } = await call(email, '/api/email/senders', { key: tenant.key });
    expect(body).toEqual({
      senders: [
        {
          senderId: expect.any(String) as string,
          from: tenant.from,
          fromName: 'Acme',
          domain: tenant.domain,
          domainStatus: 'verified',
          isMain: true,
        },
      ],
    });
    await email.catalog.putDomain(email.tenants.dataSource.manager, tenant.organizationId, {
      name: 'late.example',
      status: 'pending',
      expiresAt: null,
    });
    await email.catalog.putSender(email.tenants.dataSource.manager, tenant.organizationId, {
      address: 'a@late.example',
      name: null,
      isMain: false,
    });
    const again = await call(email, '/email/senders', { key: tenant.key });
    expect(again.body['senders']).toHaveLength(1);
  });

  it('list the templates with their variables', async () => {
    const { id } = await email.template(tenant.organizationId, { slug: 'hello', html: '<p>{{ user.name }}</p>' });
    const { body } = await call(email, '/email/templates', { key: tenant.key });
    expect(body).toEqual({
      templates: [
        {
          templateId: id,
          slug: 'hello',
          name: 'Welcome',
          subject: 'Hi {{ name }}',
          variables: ['name', 'user'],
          updatedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/) as string,
        },
      ],
    });
  });

  it('contain the balance in the format of the SMS balance', async () => {
    const { body } = await call(email, '/email/balance', { key: tenant.key });
    expect(body).toEqual({ workspaceId: tenant.workspaceId, creditType: 'email', balance: 1_000 });
  });

  it('return a send for both names of its id, but not to another organization', async () => {
    const to = [email.recipient(), email.recipient()];
    const { body } = await send(email, tenant.key, { to, subject: 'Two', text: 'Hi' });
    for (const name of ['id', 'messageId']) {
      const report = await call(email, `/email/status?${name}=${String(body['id'])}`, { key: tenant.key });
      expect(report.body).toEqual({
        id: body['id'],
        messageId: body['id'],
        status: 'sent',
        from: tenant.from,
        to: to.join(', '),
        subject: 'Two',
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/) as string,
        events: [],
      });
    }
    const other = await email.tenant();
    for (const id of [String(body['id']), 'x', '018f0000-0000-7000-8000-000000000000']) {
      const answer = await call(email, `/email/status?id=${id}`, { key: other.key });
      expect([answer.status, answer.body['code']]).toEqual([404, 'NOT_FOUND']);
    }
  });
});
