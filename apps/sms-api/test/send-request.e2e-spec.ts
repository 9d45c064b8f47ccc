import { until } from '@heliograph/testing';
import { codeOf, postForm, STYLES, call, type Fields } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

const ALIASES: Record<string, string[]> = {
  from: ['sender', 'senderId', 'header'],
  to: ['recipient', 'number', 'msisdn', 'mobile', 'phone'],
  template: ['templateId', 'tpl'],
  message: ['text', 'body', 'msg', 'content'],
  scheduledAt: ['scheduled_at', 'schedule', 'at'],
};

describe('the SMS send request', () => {
  let sms: SmsFixture;
  let tenant: SmsTenant;
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

  beforeAll(async () => {
    sms = await SmsFixture.shared();
    tenant = await sms.tenant({ credits: 100_000 });
  });

  /** All fields with their primary names. */
  const complete = (): Fields => ({
    from: tenant.sender.header,
    to: sms.recipient(),
    template: tenant.template.name,
    message: 'from message',
    scheduledAt: inAnHour(),
  });

  describe.each(STYLES)('as $name', (style) => {
    it.each(['', '/api'] as const)('is accepted under the prefix "%s"', async (prefix) => {
      const answer = await style.send(sms, tenant.key, complete(), { prefix });
      expect(answer.status).toBe(200);
      expect(String(answer.body['ok'])).toBe('true');
    });

    it.each(Object.entries(ALIASES).flatMap(([field, names]) => names.map((alias) => ({ field, alias }))))(
      'accepts $alias as an alias of $field',
      async ({ field, alias }) => {
        const { [field]: value, ...rest } = complete();
        const answer = await style.send(sms, tenant.key, { ...rest, [alias]: value });
        expect(answer.status).toBe(200);
        expect(answer.body).toMatchObject({
          to: rest['to'] ?? value,
          from: tenant.sender.header,
          templateId: tenant.template.id,
          renderedBody: 'Your code is from message',
          status: 'scheduled',
        });
      },
    );

    it.each(Object.entries(ALIASES))('prefers %s over its aliases', async (field, aliases) => {
      const fields = complete();
      const wrong = Object.fromEntries(aliases.map((alias) => [alias, 'not this one']));
      const answer = await style.send(sms, tenant.key, { ...wrong, [field]: fields[field], ...fields });
      expect(answer.status).toBe(200);
      expect(answer.body['renderedBody']).toBe('Your code is from message');
    });

    it('accepts the ids of the sender and the template', async () => {
      const fields = { ...complete(), from: tenant.sender.id, template: tenant.template.id };
      const answer = await style.send(sms, tenant.key, fields);
      expect(answer.body).toMatchObject({ from: tenant.sender.header, templateId: tenant.template.id });
    });

    it('accepts variables by token', async () => {
      const fields = { from: tenant.sender.header, to: sms.recipient(), variables: { code: 'a&b <c>' } };
      const answer = await style.send(sms, tenant.key, fields);
      expect(answer.body).toMatchObject({ status: 'queued', renderedBody: 'Your code is a&b <c>' });
    });

    it('sends immediately and not as flash by default', async () => {
      const to = sms.recipient();
      await style.send(sms, tenant.key, { from: tenant.sender.header, to, message: 'x' });
      const [arrived] = await until(
        'the message has arrived',
        () => sms.carrier.messages(to).length > 0 && sms.carrier.messages(to),
      );
      expect(arrived).toMatchObject({ flash: false, text: 'Your code is x' });
    });

    it('sends a flash message if flash is true', async () => {
      const to = sms.recipient();
      const answer = await style.send(sms, tenant.key, { from: tenant.sender.header, to, message: 'x', flash: true });
      expect(answer.status).toBe(200);
      const [arrived] = await until(
        'the message has arrived',
        () => sms.carrier.messages(to).length > 0 && sms.carrier.messages(to),
      );
      expect(arrived).toMatchObject({ flash: true });
    });

    it.each([
      ['scheduled-at', 'scheduledAt'],
      ['Scheduledat', 'scheduledAt'],
      ['SenderID', 'senderId'],
      ['template_id', 'templateId'],
    ])('refuses %s, another spelling of a field', async (name, meant) => {
      const answer = await style.send(sms, tenant.key, { ...complete(), [name]: 'x' });
      expect([answer.status, codeOf(answer)]).toEqual([style.errorStatus(400), 'INVALID_REQUEST']);
      expect(answer.text).toContain(`${name} is not a field of this call. Did you mean ${meant}?`);
    });

    it('refuses a field of the v1 send', async () => {
      const answer = await style.send(sms, tenant.key, { ...complete(), workspaceId: 'x' });
      expect([answer.status, codeOf(answer)]).toEqual([style.errorStatus(400), 'INVALID_REQUEST']);
    });

    it('ignores other names, unless it is JSON', async () => {
      const answer = await style.send(sms, tenant.key, { ...complete(), utm_source: 'x', balance: 99, creditsCost: 0 });
      expect(answer.status).toBe(style.name === 'JSON' ? 400 : 200);
      if (answer.status === 200) expect(String(answer.body['creditsCost'])).toBe('1');
    });
  });

  describe.each(['GET', 'form'])('as %s', (name) => {
    const send = (body: string) =>
      name === 'GET' ? call(sms, `/sms/send?${body}`, { key: tenant.key }) : postForm(sms, tenant.key, body);
    const base = () => `from=${tenant.sender.header}&to=${encodeURIComponent(sms.recipient())}`;

    it('accepts variables as one JSON field', async () => {
      const answer = await send(`${base()}&variables=${encodeURIComponent('{"code":"json"}')}`);
      expect(answer.body['renderedBody']).toBe('Your code is json');
    });

    it('prefers var.<token> over the same token in variables', async () => {
      const answer = await send(`${base()}&var.code=field&variables=${encodeURIComponent('{"code":"json"}')}`);
      expect(answer.body['renderedBody']).toBe('Your code is field');
    });

    it.each(['not json', '[1]', '"text"', '7', 'null', ''])('rejects variables %j', async (text) => {
      const answer = await send(`${base()}&variables=${encodeURIComponent(text)}`);
      expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_VARIABLES']);
    });

    it.each(['true', '1', 'yes', 'on', 'TRUE', 'Yes'])('parses flash=%s as true', async (word) => {
      expect((await send(`${base()}&message=x&flash=${word}`)).body['flash']).toBe(true);
    });

    it.each(['false', '0', 'no', 'off', ''])('parses flash=%s as false', async (word) => {
      expect((await send(`${base()}&message=x&flash=${word}`)).body['flash']).toBe(false);
    });

    it('rejects a non-boolean flash', async () => {
      const answer = await send(`${base()}&message=x&flash=maybe`);
      expect([answer.status, codeOf(answer)]).toEqual([400, 'INVALID_REQUEST']);
    });

    it('accepts a space in place of an unescaped plus sign in the number and in the offset of the schedule', async () => {
      const to = sms.recipient();
      const at = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)}+00:00`;
      const answer = await send(`from=${tenant.sender.header}&to=${to}&message=x&scheduledAt=${at}`);
      expect(answer.body).toMatchObject({ ok: true, to, status: 'scheduled' });
    });
  });
});
