import { call, codeOf, postForm, postJson } from './calls';
import type { SmsFixture } from './sms-fixture';
import { V1Calls } from './v1-calls';

describe('an error of a send', () => {
  let v1: V1Calls;
  let sms: SmsFixture;
  beforeAll(async () => {
    v1 = await V1Calls.start();
    ({ sms } = v1);
  });

  it.each([
    ['pending', 'is pending: the platform operator has not approved it yet. GET /api/organization/sms/onboardings/'],
    ['rejected', 'was rejected: no reason was given. Correct it with PATCH /api/organization/sms/onboardings/'],
  ] as const)('says what to wait for or to change if the onboarding is %s', async (status, text) => {
    const { key, sender, onboarding } = await sms.tenant({ onboarding: { status } });
    const fields = { to: sms.recipient(), message: 'Your code is 1' };
    for (const answer of [
      await postJson(sms, key, { ...fields, from: sender.header }),
      await v1.post('/send', { ...fields, sender_id: sender.header }, key),
    ]) {
      expect([answer.status, answer.body['code'] ?? codeOf(answer as never)]).toEqual([400, 'ONBOARDING_NOT_APPROVED']);
      expect(answer.body['message']).toContain(
        `The onboarding ${onboarding.name} of this sender ${text}${onboarding.id}`,
      );
    }
    const unnamed = await v1.post('/send', fields, key);
    expect(unnamed).toMatchObject({ status: 400, body: { code: 'INVALID_SENDER', fields: [{ field: 'sender_id' }] } });
    expect(unnamed.body['message']).toContain('No active sender with an approved onboarding exists for IN.');
  });

  it('names the sender or the template that has no DLT id, and where to set it', async () => {
    const { key, sender, template } = await sms.tenant({ template: { dltTemplateId: null } });
    const fields = { to: sms.recipient(), variables: { code: '1' } };
    const byTemplate = await postJson(sms, key, { ...fields, from: sender.header, template: template.id });
    expect(byTemplate.body).toMatchObject({ code: 'DLT_TEMPLATE_REQUIRED' });
    expect(byTemplate.body['message']).toBe(
      `The template ${template.name} has no DLT template id, which IN requires. Copy the id of the template from the DLT registry to its dltTemplateId: PATCH /api/organization/sms/templates/${template.id}.`,
    );
    const byText = await v1.post('/send', { to: sms.recipient(), message: 'Your code is 1' }, key);
    expect(byText).toMatchObject({ status: 400, body: { code: 'TEMPLATE_NOT_MATCHED' } });
    expect(byText.body['message']).toContain(
      `no active template of the sender has a DLT template id. Copy the ids from the DLT registry to dltTemplateId of the templates, such as ${template.name}`,
    );
    const other = await sms.tenant({ sender: { dltSenderId: null } });
    const bySender = await postJson(sms, other.key, { ...fields, from: other.sender.header });
    expect(bySender.body).toMatchObject({ code: 'DLT_SENDER_REQUIRED' });
    expect(bySender.body['message']).toContain(`PATCH /api/organization/sms/senders/${other.sender.id}`);
    const without = await sms.tenant({ template: { isActive: false } });
    const noTemplate = await v1.post('/send', { to: sms.recipient(), message: 'Your code is 1' }, without.key);
    expect(noTemplate.body['message']).toContain('the sender has no active template. Create one');
  });

  it('says that a form contains JSON', async () => {
    const { key } = v1.tenant;
    for (const body of ['{"from": "ACMEIN", "to": "+919876543210"}', ' [{"to": "x"}]', '{}']) {
      const answer = await postForm(sms, key, body);
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
      expect(answer.body['message']).toBe(
        'The body is JSON, but the Content-Type is application/x-www-form-urlencoded. Send Content-Type: application/json.',
      );
    }
  });

  it('names the fields that are written as another service names them', async () => {
    const { key, sender } = v1.tenant;
    const fields = { From: sender.header, To: sms.recipient(), Body: 'Your code is 1' };
    const form = new URLSearchParams(fields).toString();
    for (const answer of [
      await postJson(sms, key, fields),
      await postForm(sms, key, form),
      await call(sms, `/sms/send?${form}`, { key }),
      await call(sms, '/api/v1/sms/send', { method: 'POST', key, json: fields }),
    ]) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_REQUEST' } });
      expect(answer.body['message']).toMatch(/^(From|To) is not a field of this call\./);
    }
  });

  it('names the variables without a value', async () => {
    const { key, sender, template } = v1.tenant;
    const answer = await postJson(sms, key, { from: sender.header, to: sms.recipient(), template: template.id });
    expect(answer.body).toMatchObject({
      code: 'MISSING_VARIABLES',
      message: 'The template needs a value in variables for: code.',
    });
  });
});
