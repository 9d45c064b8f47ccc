import { until } from '@heliograph/testing';
import { codeOf, postJson, STYLES, type Answer } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

describe('the selection of sender and template', () => {
  let sms: SmsFixture;
  beforeAll(async () => {
    sms = await SmsFixture.shared();
  });

  const send = (tenant: SmsTenant, fields: Record<string, unknown> = {}) =>
    postJson(sms, tenant.key, { from: tenant.sender.header, to: sms.recipient(), message: 'x', ...fields });
  const expectRefusal = (answer: Answer, code: string) => {
    expect([answer.status, codeOf(answer)]).toEqual([400, code]);
    expect(answer.body).toEqual({ code, message: expect.any(String) as string });
  };

  describe.each(STYLES)('as $name', (style) => {
    const sendIn = (tenant: SmsTenant, fields: Record<string, string>) =>
      style.send(sms, tenant.key, { to: sms.recipient(), message: 'x', ...fields });

    it.each([
      ['from is missing', () => ({}), 'INVALID_SENDER'],
      ['from is empty', () => ({ from: '' }), 'INVALID_SENDER'],
      ['the sender does not exist', () => ({ from: 'NOBODY' }), 'INVALID_SENDER'],
      [
        'the template does not exist',
        (tenant: SmsTenant) => ({ from: tenant.sender.header, template: 'none' }),
        'INVALID_TEMPLATE',
      ],
    ] as [string, (tenant: SmsTenant) => Record<string, string>, string][])(
      'returns an error if %s',
      async (_when, fields, code) => {
        const tenant = await sms.tenant();
        const answer = await sendIn(tenant, fields(tenant));
        expect([answer.status, codeOf(answer)]).toEqual([style.errorStatus(400), code]);
      },
    );
  });

  it('rejects an inactive sender with SENDER_INACTIVE', async () => {
    expectRefusal(await send(await sms.tenant({ sender: { isActive: false } })), 'SENDER_INACTIVE');
  });

  it.each(['pending', 'rejected'] as const)('rejects a %s onboarding with ONBOARDING_NOT_APPROVED', async (status) => {
    expectRefusal(await send(await sms.tenant({ onboarding: { status } })), 'ONBOARDING_NOT_APPROVED');
  });

  it('accepts a send right after the approval, before the change feed reports it', async () => {
    const tenant = await sms.tenant({ onboarding: { status: 'pending' } });
    expectRefusal(await send(tenant), 'ONBOARDING_NOT_APPROVED');
    await sms.database.query('ALTER TABLE sms.onboardings DISABLE TRIGGER USER');
    try {
      await sms.database.query(
        `UPDATE sms.onboardings SET status = 'approved' WHERE id = (SELECT onboarding_id FROM sms.senders WHERE id = $1)`,
        [tenant.sender.id],
      );
    } finally {
      await sms.database.query('ALTER TABLE sms.onboardings ENABLE TRIGGER USER');
    }
    expect((await send(tenant)).status).toBe(200);
  });

  it('rejects an explicit inactive template with TEMPLATE_INACTIVE', async () => {
    const tenant = await sms.tenant({ template: { isActive: false } });
    expectRefusal(await send(tenant, { template: tenant.template.name }), 'TEMPLATE_INACTIVE');
    expectRefusal(await send(tenant, { template: tenant.template.id }), 'TEMPLATE_INACTIVE');
  });

  it('requires a template if the sender has no active one (TEMPLATE_REQUIRED)', async () => {
    expectRefusal(await send(await sms.tenant({ template: { isActive: false } })), 'TEMPLATE_REQUIRED');
  });

  it('requires a template if the sender has several active ones (TEMPLATE_AMBIGUOUS)', async () => {
    const tenant = await sms.tenant();
    const other = await sms.template(tenant.organizationId, tenant.onboarding.id);
    expectRefusal(await send(tenant), 'TEMPLATE_AMBIGUOUS');
    expect((await send(tenant, { template: other.name })).body['templateId']).toBe(other.id);
  });

  it('defaults to the only active template of the onboarding', async () => {
    const tenant = await sms.tenant();
    await sms.template(tenant.organizationId, tenant.onboarding.id, { isActive: false });
    const elsewhere = await sms.onboarding(tenant.organizationId);
    await sms.template(tenant.organizationId, elsewhere.id);
    expect((await send(tenant)).body['templateId']).toBe(tenant.template.id);
  });

  it('rejects a template of another onboarding with SENDER_TEMPLATE_MISMATCH', async () => {
    const tenant = await sms.tenant();
    const elsewhere = await sms.onboarding(tenant.organizationId);
    const template = await sms.template(tenant.organizationId, elsewhere.id);
    expectRefusal(await send(tenant, { template: template.name }), 'SENDER_TEMPLATE_MISMATCH');
    expectRefusal(await send(tenant, { template: template.id }), 'SENDER_TEMPLATE_MISMATCH');
  });

  it('resolves a name that is used in two onboardings within the onboarding of the sender', async () => {
    const tenant = await sms.tenant();
    const elsewhere = await sms.onboarding(tenant.organizationId);
    await sms.template(tenant.organizationId, elsewhere.id, { name: tenant.template.name, isActive: false });
    expect((await send(tenant, { template: tenant.template.name })).body['templateId']).toBe(tenant.template.id);
  });

  it('rejects an Indian sender without a DLT id with DLT_SENDER_REQUIRED', async () => {
    expectRefusal(await send(await sms.tenant({ sender: { dltSenderId: null } })), 'DLT_SENDER_REQUIRED');
  });

  it('rejects an Indian template without a DLT id with DLT_TEMPLATE_REQUIRED', async () => {
    expectRefusal(await send(await sms.tenant({ template: { dltTemplateId: null } })), 'DLT_TEMPLATE_REQUIRED');
  });

  it('requires no DLT ids in other countries', async () => {
    const tenant = await sms.tenant({
      onboarding: { country: 'DE', dltEntityId: null },
      sender: { dltSenderId: null },
      template: { dltTemplateId: null },
    });
    expect((await send(tenant, { to: '+4915112345678' })).status).toBe(200);
  });

  it('sends the DLT ids to the carrier', async () => {
    const tenant = await sms.tenant({ onboarding: { dltEntityId: '42' }, template: { dltTemplateId: '43' } });
    const to = sms.recipient();
    await send(tenant, { to });
    const [arrived] = await until(
      'the message has arrived',
      () => sms.carrier.messages(to).length > 0 && sms.carrier.messages(to),
    );
    expect(arrived?.tlvs).toMatchObject({ '0x1400': '42', '0x1401': '43' });
  });

  it('applies a change of the catalog within two seconds', async () => {
    const tenant = await sms.tenant();
    expect((await send(tenant)).status).toBe(200);
    await sms.sender(tenant.organizationId, tenant.onboarding.id, { header: tenant.sender.header, isActive: false });
    await until('the request is rejected', async () => codeOf(await send(tenant)) === 'SENDER_INACTIVE', {
      timeoutMs: 2_000,
    });
  });

  it('uses the configured list of DLT countries', async () => {
    const configured = await sms.beside({ SMS_DLT_COUNTRIES: 'DE, FR' });
    try {
      const german = await configured.tenant({ onboarding: { country: 'DE' }, sender: { dltSenderId: null } });
      const indian = await configured.tenant({ sender: { dltSenderId: null } });
      const from = (tenant: SmsTenant, to: string) =>
        postJson(configured, tenant.key, { from: tenant.sender.header, to, message: 'x' });
      expectRefusal(await from(german, '+4915112345678'), 'DLT_SENDER_REQUIRED');
      expect((await from(indian, '+919876543210')).status).toBe(200);
    } finally {
      await configured.service.stop();
    }
  });
});
