import { unique, until } from '@heliograph/testing';
import {
  call,
  codeOf,
  inEnvelope,
  postForm,
  postJson,
  postXml,
  smsRequest,
  STYLES,
  urlEncode,
  type Answer,
} from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

describe('Idempotency-Key', () => {
  let sms: SmsFixture;
  beforeAll(async () => {
    sms = await SmsFixture.shared();
  });

  const fieldsOf = (tenant: SmsTenant, to = sms.recipient()) => ({ from: tenant.sender.header, to, message: 'x' });
  const under = (key: string) => ({ headers: { 'Idempotency-Key': key } });
  const balance = async ({ key }: SmsTenant) => (await call(sms, '/sms/balance', { key })).body['balance'];
  const countOf = async (to: string) =>
    (await sms.database.query('SELECT 1 FROM sms.messages WHERE recipient = $1', [to])).length;
  const replayed = ({ headers }: Answer) => headers.get('idempotent-replayed');

  describe.each(STYLES)('as $name', (style) => {
    it('replays the first response, marks it and charges once', async () => {
      const tenant = await sms.tenant();
      const fields = fieldsOf(tenant);
      const key = unique();
      const first = await style.send(sms, tenant.key, fields, under(key));
      const second = await style.send(sms, tenant.key, fields, { ...under(key), prefix: '/api' });
      expect([first.status, replayed(first)]).toEqual([200, null]);
      expect([second.status, replayed(second)]).toEqual([200, 'true']);
      expect(second.text).toBe(first.text);
      expect(await balance(tenant)).toBe(999);
      expect(await countOf(fields.to)).toBe(1);
    });

    it('rejects a different request with the same key: 409 IDEMPOTENCY_KEY_REUSED', async () => {
      const tenant = await sms.tenant();
      const key = unique();
      const fields = fieldsOf(tenant);
      await style.send(sms, tenant.key, fields, under(key));
      const answer = await style.send(sms, tenant.key, { ...fields, message: 'y' }, under(key));
      expect([answer.status, codeOf(answer)]).toEqual([style.errorStatus(409), 'IDEMPOTENCY_KEY_REUSED']);
      expect(await balance(tenant)).toBe(999);
    });

    it('replays a 400 response', async () => {
      const tenant = await sms.tenant();
      const key = unique();
      const fields = { ...fieldsOf(tenant), template: 'later' };
      const first = await style.send(sms, tenant.key, fields, under(key));
      expect([first.status, codeOf(first), replayed(first)]).toEqual([
        style.errorStatus(400),
        'INVALID_TEMPLATE',
        null,
      ]);
      await sms.template(tenant.organizationId, tenant.onboarding.id, { name: 'later' });
      const second = await style.send(sms, tenant.key, fields, under(key));
      expect([second.status, codeOf(second), replayed(second)]).toEqual([
        style.errorStatus(400),
        'INVALID_TEMPLATE',
        'true',
      ]);
      expect(second.text).toBe(first.text);
    });

    it('does not replay a 402 response', async () => {
      const tenant = await sms.tenant({ credits: 0 });
      const key = unique();
      const fields = fieldsOf(tenant);
      expect((await style.send(sms, tenant.key, fields, under(key))).status).toBe(style.errorStatus(402));
      await sms.tenants.topUp({ id: tenant.workspaceId, organizationId: tenant.organizationId }, 'sms', 1);
      const answer = await style.send(sms, tenant.key, fields, under(key));
      expect([answer.status, replayed(answer)]).toEqual([200, null]);
    });

    it.each([
      ['empty', ''],
      ['empty in quotes', '""'],
      ['256 characters long', 'k'.repeat(256)],
      ['not printable', 'a\tb'],
      ['not ASCII', 'é'],
    ])('rejects a key that is %s: INVALID_REQUEST', async (_what, key) => {
      const tenant = await sms.tenant();
      const answer = await style.send(sms, tenant.key, fieldsOf(tenant), under(key));
      expect([answer.status, codeOf(answer)]).toEqual([style.errorStatus(400), 'INVALID_REQUEST']);
      expect(await balance(tenant)).toBe(1_000);
    });
  });

  it('executes one of many concurrent requests: one charge, one message, no unexpected response', async () => {
    const tenant = await sms.tenant();
    const fields = fieldsOf(tenant);
    const key = unique();
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) => STYLES[i % 3]!.send(sms, tenant.key, fields, under(key))),
    );
    const ids = answers.filter(({ status }) => status === 200).map(({ body }) => body['messageId']);
    expect(ids.length).toBeGreaterThanOrEqual(1);
    expect(new Set(ids).size).toBe(1);
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expect([answer.status, codeOf(answer)]).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
    }
    expect(answers.filter((answer) => answer.status === 200 && replayed(answer) === null)).toHaveLength(1);
    expect(await balance(tenant)).toBe(999);
    expect(await countOf(fields.to)).toBe(1);
  });

  it('applies across two processes: concurrent requests to both are charged once', async () => {
    const other = await sms.beside();
    try {
      const tenant = await sms.tenant();
      const fields = fieldsOf(tenant);
      const key = unique();
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, i) => postJson(i % 2 ? sms : other, tenant.key, fields, under(key))),
      );
      expect(new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body['messageId'])).size).toBe(1);
      expect(answers.filter(({ status }) => ![200, 409].includes(status))).toEqual([]);
      expect(await balance(tenant)).toBe(999);
      expect(await countOf(fields.to)).toBe(1);
    } finally {
      await other.service.stop();
    }
  });

  it('treats quoted and unquoted keys as equal and accepts printable text up to 255 characters', async () => {
    const tenant = await sms.tenant();
    const fields = fieldsOf(tenant);
    const bare = unique();
    const first = await postJson(sms, tenant.key, fields, under(bare));
    expect((await postJson(sms, tenant.key, fields, under(`"${bare}"`))).text).toBe(first.text);
    expect((await postJson(sms, tenant.key, fields, under('k'.repeat(255)))).status).toBe(200);
    expect((await postJson(sms, tenant.key, fields, under(`~ !"#$%&'()*+,-./:;<=>?@[]^_{|} ${bare}`))).status).toBe(
      200,
    );
  });

  it('treats equal requests in different REST styles as the same request', async () => {
    const tenant = await sms.tenant();
    const fields = fieldsOf(tenant);
    const key = unique();
    const first = await postJson(sms, tenant.key, fields, under(key));
    const form = await postForm(sms, tenant.key, urlEncode(fields), under(key));
    const query = await call(sms, `/api/sms/send?${urlEncode(fields)}`, { key: tenant.key, ...under(key) });
    const alias = await postJson(sms, tenant.key, { to: fields.to, sender: fields.from, text: 'x' }, under(key));
    for (const answer of [form, query, alias]) {
      expect([answer.status, replayed(answer)]).toEqual([200, 'true']);
      expect(answer.body).toEqual(first.body);
    }
    expect(await balance(tenant)).toBe(999);
  });

  it('replays a SOAP response in the envelope of the repeated request', async () => {
    const tenant = await sms.tenant();
    const xml = smsRequest(fieldsOf(tenant));
    const key = unique();
    const first = await postXml(sms, tenant.key, xml, under(key));
    const second = await postXml(sms, tenant.key, inEnvelope('SOAP 1.2', xml), under(key));
    expect(replayed(second)).toBe('true');
    expect(second.body).toEqual(first.body);
    expect(second.text).toContain('Envelope');
  });

  it('is scoped to one API key', async () => {
    const tenant = await sms.tenant();
    const another = await sms.tenants.key(tenant.organizationId);
    const fields = fieldsOf(tenant);
    const key = unique();
    const first = await postJson(sms, tenant.key, fields, under(key));
    const second = await postJson(sms, another, fields, under(key));
    expect([second.status, replayed(second)]).toEqual([200, null]);
    expect(second.body['messageId']).not.toBe(first.body['messageId']);
  });

  it('replays the 400 response of a malformed body and distinguishes malformed bodies', async () => {
    const tenant = await sms.tenant();
    const key = unique();
    expect(codeOf(await postJson(sms, tenant.key, '{', under(key)))).toBe('INVALID_REQUEST');
    expect(replayed(await postJson(sms, tenant.key, '{', under(key)))).toBe('true');
    expect(codeOf(await postJson(sms, tenant.key, '{{', under(key)))).toBe('IDEMPOTENCY_KEY_REUSED');
  });

  it('replays the error of malformed XML in the envelope of the request', async () => {
    const tenant = await sms.tenant();
    const key = unique();
    const xml = inEnvelope('SOAP 1.1', '<SmsRequest><from>');
    const first = await postXml(sms, tenant.key, xml, under(key));
    const second = await postXml(sms, tenant.key, xml, under(key));
    expect([first.status, replayed(first), first.text]).toEqual([500, null, expect.stringContaining('Fault')]);
    expect([second.status, replayed(second), second.text]).toEqual([500, 'true', first.text]);
    const other = await postXml(sms, tenant.key, inEnvelope('SOAP 1.1', '<SmsRequest><to>'), under(key));
    expect(other.text).toContain('IDEMPOTENCY_KEY_REUSED');
  });

  it('compares a body that is not valid with the first request', async () => {
    const tenant = await sms.tenant();
    const key = unique();
    const fields = fieldsOf(tenant);
    await postJson(sms, tenant.key, fields, under(key));
    const invalid = { ...fields, flash: 'perhaps' };
    expect(codeOf(await postJson(sms, tenant.key, invalid, under(key)))).toBe('IDEMPOTENCY_KEY_REUSED');
    expect(codeOf(await postJson(sms, tenant.key, invalid, under(unique())))).toBe('INVALID_REQUEST');
    expect(replayed(await postJson(sms, tenant.key, fields, under(key)))).toBe('true');
  });

  it('does not replay a 409 or 401 response', async () => {
    const organization = await sms.tenants.organization();
    const onboarding = await sms.onboarding(organization.id);
    const sender = await sms.sender(organization.id, onboarding.id);
    await sms.template(organization.id, onboarding.id);
    const secret = `msg_live_${unique()}${unique()}${unique()}${unique()}`;
    const key = unique();
    const fields = { from: sender.header, to: sms.recipient(), message: 'x' };
    expect((await postJson(sms, secret, fields, under(key))).status).toBe(401);
    await sms.tenants.key(organization.id, { secret });
    const send = async () => (await postJson(sms, secret, fields, under(key))).status;
    expect([401, 409]).toContain(await send());
    await sms.tenants.workspace(organization.id, { credits: { sms: 1 } });
    await until('the message is sent', async () => (await send()) === 200);
  });

  it('expires after 24 hours', async () => {
    const tenant = await sms.tenant();
    const fields = fieldsOf(tenant);
    const key = unique();
    await postJson(sms, tenant.key, fields, under(key));
    const [kept] = await sms.database.query<{ hours: number }>(
      'SELECT extract(epoch FROM expires_at - now())::float / 3600 AS hours FROM idempotency.answers WHERE key = $1',
      [key],
    );
    expect(kept?.hours).toBeGreaterThan(23.9);
    expect(kept?.hours).toBeLessThanOrEqual(24);
    await sms.database.query(`UPDATE idempotency.answers SET expires_at = now() - interval '1 second' WHERE key = $1`, [
      key,
    ]);
    const answer = await postJson(sms, tenant.key, fields, under(key));
    expect([answer.status, replayed(answer)]).toEqual([200, null]);
    expect(await balance(tenant)).toBe(998);
  });
});
