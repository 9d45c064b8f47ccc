import { unique, until } from '@heliograph/testing';
import { call, codeOf, postJson } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}$/;
const PREFIXES = ['', '/api'];

describe('the records of the SMS API', () => {
  let sms: SmsFixture;
  beforeAll(async () => {
    sms = await SmsFixture.shared();
  });

  const sent = async (tenant: SmsTenant, fields: object = {}): Promise<string> => {
    const answer = await postJson(sms, tenant.key, {
      from: tenant.sender.header,
      to: sms.recipient(),
      message: 'x',
      ...fields,
    });
    return String(answer.body['messageId']);
  };

  describe.each(PREFIXES)('status under "%s"', (prefix) => {
    it('returns exactly the fields of the contract', async () => {
      const tenant = await sms.tenant();
      const to = sms.recipient();
      const id = await sent(tenant, { to });
      const record = await until('the message is delivered', async () => {
        const answer = await call(sms, `${prefix}/sms/status?id=${id}`, { key: tenant.key });
        return answer.body['status'] === 'delivered' && answer.body;
      });
      expect(record).toEqual({
        messageId: id,
        status: 'delivered',
        to,
        renderedBody: 'Your code is x',
        encoding: 'gsm-7',
        creditsCost: 1,
        lastError: null,
        scheduledAt: null,
        sentAt: expect.stringMatching(TIMESTAMP) as string,
        createdAt: expect.stringMatching(TIMESTAMP) as string,
      });
    });

    it('returns a scheduled message with its time and without sentAt', async () => {
      const tenant = await sms.tenant();
      const id = await sent(tenant, { scheduledAt: '2099-01-01T00:00:00.123456Z' });
      const { body } = await call(sms, `${prefix}/sms/status?id=${id}`, { key: tenant.key });
      expect(body).toMatchObject({ status: 'scheduled', scheduledAt: '2099-01-01T00:00:00.123456', sentAt: null });
    });

    it('accepts the id as messageId', async () => {
      const tenant = await sms.tenant();
      const id = await sent(tenant);
      const { status, body } = await call(sms, `${prefix}/sms/status?messageId=${id}`, { key: tenant.key });
      expect([status, body['messageId']]).toEqual([200, id]);
    });

    it.each([
      ['an unknown id', '?id=01890000-0000-7000-8000-000000000000', 404, 'NOT_FOUND'],
      ['a malformed id', '?id=abc', 404, 'NOT_FOUND'],
      ['an id with SQL', `?id=${encodeURIComponent("' OR 1=1 --")}`, 404, 'NOT_FOUND'],
      ['an id with NUL', '?id=%00', 404, 'NOT_FOUND'],
      ['a missing id', '', 400, 'INVALID_REQUEST'],
      ['an empty id', '?id=', 400, 'INVALID_REQUEST'],
      ['two ids', '?id=a&id=b', 400, 'INVALID_REQUEST'],
    ])('returns an error for %s', async (_what, query, status, code) => {
      const tenant = await sms.tenant();
      const answer = await call(sms, `${prefix}/sms/status${query}`, { key: tenant.key });
      expect(answer.status).toBe(status);
      expect(answer.body).toEqual({ code, message: expect.any(String) as string });
    });
  });

  it.each(PREFIXES)('lists senders under "%s", including inactive ones and missing DLT ids', async (prefix) => {
    const tenant = await sms.tenant();
    const idle = await sms.sender(tenant.organizationId, tenant.onboarding.id, { isActive: false, dltSenderId: null });
    const { status, body } = await call(sms, `${prefix}/sms/senders`, { key: tenant.key });
    expect(status).toBe(200);
    expect(body).toEqual({
      senders: [
        {
          senderId: tenant.sender.id,
          from: tenant.sender.header,
          onboardingId: tenant.onboarding.id,
          dltSenderId: '1105000000000000001',
          isActive: true,
        },
        {
          senderId: idle.id,
          from: idle.header,
          onboardingId: tenant.onboarding.id,
          dltSenderId: null,
          isActive: false,
        },
      ],
    });
  });

  it.each(PREFIXES)('lists templates under "%s" with their tokens', async (prefix) => {
    const tenant = await sms.tenant({ template: { body: '{{ a }} {{b}} {{a}}' } });
    const idle = await sms.template(tenant.organizationId, tenant.onboarding.id, {
      body: '{#var#} and {#var#}',
      isActive: false,
      dltTemplateId: null,
    });
    const { status, body } = await call(sms, `${prefix}/sms/templates`, { key: tenant.key });
    expect(status).toBe(200);
    expect(body).toEqual({
      templates: [
        {
          templateId: tenant.template.id,
          name: tenant.template.name,
          body: '{{ a }} {{b}} {{a}}',
          variables: ['a', 'b'],
          onboardingId: tenant.onboarding.id,
          dltTemplateId: '1107000000000000001',
          isActive: true,
        },
        {
          templateId: idle.id,
          name: idle.name,
          body: '{#var#} and {#var#}',
          variables: ['var1', 'var2'],
          onboardingId: tenant.onboarding.id,
          dltTemplateId: null,
          isActive: false,
        },
      ],
    });
  });

  it('returns empty lists if nothing is registered', async () => {
    const organization = await sms.tenants.organization();
    const key = await sms.tenants.key(organization.id);
    expect((await call(sms, '/sms/senders', { key })).body).toEqual({ senders: [] });
    expect((await call(sms, '/sms/templates', { key })).body).toEqual({ templates: [] });
  });

  it.each(PREFIXES)('returns the balance under "%s"', async (prefix) => {
    const tenant = await sms.tenant({ credits: 41 });
    const { status, body } = await call(sms, `${prefix}/sms/balance`, { key: tenant.key });
    expect(status).toBe(200);
    expect(body).toEqual({ workspaceId: tenant.workspaceId, creditType: 'sms', balance: 41 });
  });

  it('returns a balance of 0 if no credits were granted', async () => {
    const organization = await sms.tenants.organization();
    const workspace = await sms.tenants.workspace(organization.id);
    const key = await sms.tenants.key(organization.id);
    expect((await call(sms, '/sms/balance', { key })).body).toEqual({
      workspaceId: workspace.id,
      creditType: 'sms',
      balance: 0,
    });
  });

  it('returns NO_WORKSPACE for the balance without a workspace', async () => {
    const organization = await sms.tenants.organization();
    const answer = await call(sms, '/sms/balance', { key: await sms.tenants.key(organization.id) });
    expect([answer.status, codeOf(answer)]).toEqual([409, 'NO_WORKSPACE']);
  });

  it('returns the key and its tenant at /api/me', async () => {
    const tenant = await sms.tenant();
    const name = `named-${unique()}`;
    const expiresAt = new Date('2099-05-06T07:08:09.123Z');
    const key = await sms.tenants.key(tenant.organizationId, {
      name,
      scopes: ['sms:read', 'email:send'],
      workspaceId: tenant.workspaceId,
      expiresAt,
    });
    const { status, body } = await call(sms, '/api/me', { key });
    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(
      [
        'ok',
        'keyId',
        'name',
        'organizationId',
        'workspaceId',
        'scopes',
        'unrestricted',
        'expiresAt',
        'createdAt',
        'lastUsedAt',
      ].sort(),
    );
    expect(body).toMatchObject({
      ok: true,
      keyId: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      name,
      organizationId: tenant.organizationId,
      workspaceId: tenant.workspaceId,
      scopes: ['sms:read', 'email:send'],
      unrestricted: false,
      expiresAt: '2099-05-06T07:08:09.123000',
      createdAt: expect.stringMatching(TIMESTAMP) as string,
      lastUsedAt: expect.stringMatching(TIMESTAMP) as string,
    });
  });

  it('returns an unrestricted, unbound key at /api/me', async () => {
    const tenant = await sms.tenant();
    expect((await call(sms, '/api/me', { key: tenant.key })).body).toMatchObject({
      workspaceId: null,
      scopes: [],
      unrestricted: true,
      expiresAt: null,
    });
  });
});
