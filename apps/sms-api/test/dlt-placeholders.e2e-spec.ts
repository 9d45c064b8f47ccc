import { codeOf, STYLES } from './calls';
import type { SmsFixture, SmsTenant } from './sms-fixture';
import { V1CampaignCalls } from './v1-campaign-calls';
import { V1Calls } from './v1-calls';

const BODY = 'Dear {#VAR#}, pay {#numeric#} at {#url#}';
const VALID = { var: '😀'.repeat(16), numeric: '500', url: 'https://example.com/pay' };
/** Values, the part of the error that names the problem, and the text with these values. */
const INVALID: [string, Record<string, string>, string][] = [
  ['a value of 31 characters', { ...VALID, var: 'x'.repeat(31) }, 'var must have at most 30 characters'],
  ['a value of 31 emoji', { ...VALID, var: '😀'.repeat(31) }, 'var must have at most 30 characters'],
  ['letters instead of digits', { ...VALID, numeric: '5OO' }, 'numeric must be digits only'],
  ['a text instead of a link', { ...VALID, url: 'our shop' }, 'url must be a web address'],
];
const textOf = ({ var: name, numeric, url }: Record<string, string>) => `Dear ${name}, pay ${numeric} at ${url}`;

describe('a template with placeholders of a DLT registry', () => {
  let v1: V1Calls;
  let sms: SmsFixture;
  let tenant: SmsTenant;
  beforeAll(async () => {
    v1 = await V1Calls.start();
    ({ sms } = v1);
    tenant = await sms.tenant({ template: { body: BODY } });
  });

  it.each(STYLES)('is sent with valid values, and refuses others: $name', async (style) => {
    const fields = { from: tenant.sender.header, to: sms.recipient(), template: tenant.template.id };
    const sent = await style.send(sms, tenant.key, { ...fields, variables: VALID });
    expect([sent.status, sent.body['renderedBody']]).toEqual([200, textOf(VALID)]);
    for (const [, variables, problem] of INVALID) {
      const answer = await style.send(sms, tenant.key, { ...fields, variables });
      expect([answer.status, codeOf(answer)]).toEqual([style.errorStatus(400), 'INVALID_VARIABLES']);
      expect(answer.text).toContain(problem);
    }
  });

  it('accepts the names of the variables from before the placeholders were typed', async () => {
    const own = await sms.tenant({ template: { body: '{#numeric#} is your code for {#email#}' } });
    const fields = { from: own.sender.header, to: sms.recipient(), variables: { var1: '1', var2: 'ann@example.com' } };
    const sent = await STYLES[0]!.send(sms, own.key, fields);
    expect(sent.body).toMatchObject({ renderedBody: '1 is your code for ann@example.com' });
    const { body } = await v1.get('/templates', own.key);
    expect(body).toMatchObject({ data: [{ tokens: ['numeric', 'email'] }] });
  });

  it('is sent by v1 with valid values and with a text, and in a bulk', async () => {
    const by = { sender_id: tenant.sender.id };
    for (const content of [{ template_id: tenant.template.id, variables: VALID }, { message: textOf(VALID) }]) {
      const sent = await v1.post('/send', { ...by, ...content, to: sms.recipient() }, tenant.key);
      expect(sent).toMatchObject({ status: 202, body: { template_id: tenant.template.id, message: textOf(VALID) } });
      const quote = await v1.post('/quote', { ...by, ...content, to: sms.recipient() }, tenant.key);
      expect(quote).toMatchObject({ status: 200, body: { verdict: 'ok' } });
    }
  });

  it.each(INVALID)('is not sent by v1 with %s, however the call gives it', async (_, variables, problem) => {
    const by = { sender_id: tenant.sender.id };
    const template = { ...by, template_id: tenant.template.id };
    const to = sms.recipient();
    const post = (path: string, body: object) => v1.post(path, body, tenant.key);

    const byTemplate = await post('/send', { ...template, to, variables });
    expect(byTemplate).toMatchObject({
      status: 400,
      body: { code: 'INVALID_VARIABLES', fields: [{ field: 'variables' }] },
    });
    expect(byTemplate.body['message']).toContain(problem);
    const byText = await post('/send', { ...by, to, message: textOf(variables) });
    expect(byText).toMatchObject({ status: 400, body: { code: 'TEMPLATE_NOT_MATCHED' } });

    for (const content of [
      { ...template, variables },
      { ...by, message: textOf(variables) },
    ]) {
      const quote = await post('/quote', { ...content, to });
      expect(quote).toMatchObject({ status: 200, body: { verdict: 'refused' } });
    }
    const bulk = await post('/bulk', {
      ...template,
      variables: VALID,
      recipients: [{ to }, { to: sms.recipient(), variables }],
    });
    expect(bulk).toMatchObject({
      status: 202,
      body: { accepted: 1, messages: [{ status: 'queued' }, { error: { code: 'INVALID_VARIABLES' } }] },
    });
    const texts = await post('/bulk', {
      ...by,
      recipients: [{ to }, { to: sms.recipient() }],
      message: textOf(variables),
    });
    expect(texts).toMatchObject({ status: 400, body: { code: 'TEMPLATE_NOT_MATCHED' } });
  });

  it('is refused by a campaign with invalid values, or skips the contacts whose values are invalid', async () => {
    const campaigns = new V1CampaignCalls(v1);
    await campaigns.newTenant({ template: { body: BODY } });
    const ann = await campaigns.contact({ first_name: 'Ann' });
    await campaigns.contact({ first_name: 'x'.repeat(31) });
    for (const [, variables] of INVALID) {
      for (const path of ['', '/estimate']) {
        expect(await campaigns.post(path, campaigns.request({ variables }))).toMatchObject({
          status: 400,
          body: { code: 'INVALID_VARIABLES', fields: [{ field: 'variables' }] },
        });
        const content = { template_id: null, variables: null, message: textOf(variables) };
        expect(await campaigns.post(path, campaigns.request(content))).toMatchObject({
          status: 400,
          body: { code: 'TEMPLATE_NOT_MATCHED', fields: [{ field: 'message' }] },
        });
      }
    }
    const variables = { ...VALID, var: '{{ first_name }}' };
    const byTemplate = await campaigns.create({ variables });
    const byText = await campaigns.create({ template_id: null, variables: null, message: textOf(variables) });
    for (const { id } of [byTemplate, byText]) {
      await campaigns.reached(id, 'completed');
      expect(await campaigns.messagesOf(id)).toMatchObject([{ recipient: ann.phone }]);
      expect((await campaigns.read(id)).skipped_reasons).toMatchObject({ invalid: 1 });
    }
  });

  it('matches texts with any line ends, and repeated tokens with one value only', async () => {
    const own = await sms.tenant({ template: { body: 'Pin {{p}}\r\nagain {{p}} end' } });
    const send = (message: string) => v1.post('/send', { to: sms.recipient(), message }, own.key);
    expect(await send('Pin 77\nagain 77 end')).toMatchObject({ status: 202 });
    expect(await send('Pin 77\r\nagain 77 end')).toMatchObject({ status: 202 });
    const refused = await send('Pin 77\nagain 78 end');
    expect(refused).toMatchObject({ status: 400, body: { code: 'TEMPLATE_NOT_MATCHED' } });
    expect(refused.body['message']).toContain('at character 15 it has "7", but message has "8 end"');
  });

  it('is named as the closest one by the edit distance of its fixed text', async () => {
    const own = await sms.tenant({ template: { body: '{#var#} is on the way' } });
    const closest = await sms.template(own.organizationId, own.onboarding.id, {
      body: 'Hello {{name}}, welcome to Vega',
    });
    const answer = await v1.post('/send', { to: sms.recipient(), message: 'Helo Ann, welcome to Vega' }, own.key);
    expect(answer).toMatchObject({ status: 400, body: { code: 'TEMPLATE_NOT_MATCHED' } });
    expect(answer.body['message']).toContain(`The closest is ${closest.name}`);
    expect(answer.body['message']).toContain('at character 4 it has "lo ", but message has "o Ann, welcome to Vega"');
  });
});
