import { codeOf, postJson } from './calls';
import { SmsFixture } from './sms-fixture';

describe('the order of checks', () => {
  let sms: SmsFixture;
  beforeAll(async () => {
    sms = await SmsFixture.shared();
  });

  it('is key, address, scope, field types, sender, onboarding, template, DLT, recipient, variables, schedule, workspace, credits', async () => {
    const slug = `order-${process.pid}`;
    const organization = await sms.tenants.organization({ slug, ipAllowlist: ['10.0.0.0/8'] });
    const name = 'the key';
    const key = await sms.tenants.key(organization.id, { name, scopes: ['sms:read'], revoked: true });
    const onboarding = await sms.onboarding(organization.id, { name: 'IN', status: 'pending' });
    const other = await sms.onboarding(organization.id);
    const catalog = {
      sender: (change: object) => sms.sender(organization.id, onboarding.id, { header: 'ORDER', ...change }),
      template: (change: object) => sms.template(organization.id, onboarding.id, { name: 'order', ...change }),
    };
    await sms.template(organization.id, other.id, { name: 'elsewhere' });
    const past = '2001-01-01T00:00:00Z';
    const fields: Record<string, unknown> = {
      from: 1,
      to: 1,
      template: 1,
      message: 1,
      variables: 1,
      flash: 'true',
      scheduledAt: 'tomorrow',
    };
    const seen: string[] = [];
    const expectNext = async (status: number, code: string | undefined, what: string) => {
      const deadline = Date.now() + 10_000;
      let answer = await postJson(sms, key, fields);
      while (Date.now() < deadline && codeOf(answer) !== code) answer = await postJson(sms, key, fields);
      seen.push(`${what}: ${answer.status} ${String(codeOf(answer))}`);
      expect(seen.at(-1)).toBe(`${what}: ${status} ${String(code)}`);
    };

    await expectNext(401, 'UNAUTHENTICATED', 'everything is wrong');
    await sms.tenants.key(organization.id, { name, secret: key, scopes: ['sms:read'] });
    await expectNext(403, 'IP_NOT_ALLOWED', 'with a key');
    await sms.tenants.organization({ slug, ipAllowlist: [] });
    await expectNext(403, 'FORBIDDEN', 'with an address');
    await sms.tenants.key(organization.id, { name, secret: key, scopes: ['sms:send'] });

    await expectNext(400, 'INVALID_SENDER', 'with a scope');
    fields['from'] = 'NOBODY';
    await expectNext(400, 'INVALID_RECIPIENT', 'from is text');
    fields['to'] = 'nobody';
    await expectNext(400, 'INVALID_TEMPLATE', 'to is text');
    fields['template'] = 'none';
    await expectNext(400, 'INVALID_REQUEST', 'template is text');
    fields['message'] = 'x';
    await expectNext(400, 'INVALID_VARIABLES', 'message is text');
    fields['variables'] = {};
    await expectNext(400, 'INVALID_REQUEST', 'variables is a map');
    fields['flash'] = true;
    await expectNext(400, 'INVALID_SCHEDULED_AT', 'flash is a boolean');
    fields['scheduledAt'] = past;

    await expectNext(400, 'INVALID_SENDER', 'the shapes are right');
    fields['from'] = 'ORDER';
    await catalog.sender({ isActive: false, dltSenderId: null });
    await expectNext(400, 'SENDER_INACTIVE', 'the sender is there');
    await catalog.sender({ dltSenderId: null });
    await expectNext(400, 'ONBOARDING_NOT_APPROVED', 'the sender is active');
    await sms.onboarding(organization.id, { name: 'IN' });
    await expectNext(400, 'INVALID_TEMPLATE', 'the onboarding is approved');
    fields['template'] = 'elsewhere';
    await expectNext(400, 'SENDER_TEMPLATE_MISMATCH', 'a template is there');
    await catalog.template({ isActive: false, dltTemplateId: null, body: '{{a}} {{b}}' });
    fields['template'] = 'order';
    await expectNext(400, 'TEMPLATE_INACTIVE', 'the template is of the onboarding');
    await catalog.template({ dltTemplateId: null, body: '{{a}} {{b}}' });
    await expectNext(400, 'DLT_SENDER_REQUIRED', 'the template is active');
    await catalog.sender({});
    await expectNext(400, 'DLT_TEMPLATE_REQUIRED', 'the sender has its DLT id');
    await catalog.template({ body: '{{a}} {{b}}' });
    await expectNext(400, 'INVALID_RECIPIENT', 'the template has its DLT id');
    fields['to'] = '+919876543210';
    await expectNext(400, 'MISSING_VARIABLES', 'the recipient is of the country');
    fields['variables'] = { a: '', b: '' };
    await expectNext(400, 'INVALID_VARIABLES', 'every variable has a value');
    fields['variables'] = { a: '1', b: '2' };
    await expectNext(400, 'SCHEDULED_AT_IN_PAST', 'there is a text');
    delete fields['scheduledAt'];
    await expectNext(409, 'NO_WORKSPACE', 'it is for now');
    await sms.tenants.workspace(organization.id, { slug: `${slug}-locked`, status: 'locked' });
    await expectNext(409, 'NO_WORKSPACE', 'there is a workspace');
    const workspace = await sms.tenants.workspace(organization.id, { slug: `${slug}-locked`, status: 'active' });
    await expectNext(402, 'INSUFFICIENT_CREDITS', 'it is not locked');
    await sms.tenants.topUp(workspace, 'sms', 1);
    await expectNext(200, undefined, 'it has a credit');
    await expectNext(402, 'INSUFFICIENT_CREDITS', 'the credit is spent');
  });
});
