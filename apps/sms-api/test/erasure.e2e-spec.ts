import { newId, poolOf } from '@heliograph/database';
import { Erasures, readPersonAddress, type BlockedChannel } from '@heliograph/tenancy';
import { until } from '@heliograph/testing';
import { call, codeOf, postJson, postTo } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

const KEYS = 'person-hash-key-of-the-tests-0123456789';

describe('the erasure of a person by number', () => {
  let sms: SmsFixture;
  let tenant: SmsTenant;
  let other: SmsTenant;
  beforeAll(async () => {
    sms = await SmsFixture.start({ environment: { PERSON_HASH_KEYS: KEYS } });
    [tenant, other] = [await sms.tenant(), await sms.tenant()];
  });
  afterAll(() => sms.stop());

  const send = ({ key, sender }: SmsTenant, to: string, more: object = {}) =>
    postJson(sms, key, { from: sender.header, to, message: 'secret', ...more });
  const stored = async (id: unknown) =>
    (
      await sms.database.query<{ recipient: string; body: string; status: string }>(
        'SELECT recipient, body, status FROM sms.messages WHERE id = $1',
        [id],
      )
    )[0]!;
  const erase = async (to: string, blocked: BlockedChannel[] = []) => {
    const { dataSource } = sms.tenants;
    const erasures = new Erasures(poolOf(dataSource), { PERSON_HASH_KEYS: [KEYS] });
    const person = readPersonAddress(to)!;
    const { id } = await dataSource.transaction((transaction) =>
      erasures.request(transaction, tenant.organizationId, person, null, blocked),
    );
    await until('sms-api has finished', async () => {
      const { pending } = await erasures.read(tenant.organizationId, id);
      return !pending.includes('sms-api');
    });
    return id;
  };

  it('masks messages, cancels and refunds scheduled ones, keeps the ledger, and prevents further messages', async () => {
    const to = sms.recipient();
    const bystander = sms.recipient();
    const sent = await send(tenant, to);
    await until('the message is sent', async () => (await stored(sent.body['messageId'])).status === 'delivered');
    const scheduled = await send(tenant, to, { scheduledAt: '2099-01-01T00:00:00Z' });
    const retained = [await send(tenant, bystander), await send(other, to)];
    const ledger = () => sms.database.query('SELECT count(*) FROM credits.ledger WHERE kind = $1', ['charge']);
    const before = await ledger();
    const id = await erase(to, ['sms']);

    const first = await stored(sent.body['messageId']);
    const second = await stored(scheduled.body['messageId']);
    expect(first).toMatchObject({ recipient: expect.stringMatching(/^erased:[0-9a-f]{32}$/) as string, body: '' });
    expect(second).toMatchObject({ recipient: first.recipient, body: '', status: 'canceled' });
    expect(await ledger()).toEqual(before);
    expect((await call(sms, '/sms/balance', { key: tenant.key })).body['balance']).toBe(998);
    for (const { body } of retained) expect((await stored(body['messageId'])).body).toContain('secret');

    const refused = await send(tenant, to);
    expect([refused.status, codeOf(refused)]).toEqual([409, 'RECIPIENT_OPTED_OUT']);
    const v1Body = { to, sender_id: tenant.sender.id, template_id: tenant.template.id, variables: { code: '1' } };
    const quote = await postTo(sms, '/api/v1/sms/quote', tenant.key, v1Body);
    expect(quote.body['checks']).toContainEqual({
      name: 'consent',
      result: 'failed',
      message: `RECIPIENT_OPTED_OUT: ${String(refused.body['message'])}`,
    });
    expect((await send(tenant, bystander)).status).toBe(200);
    expect((await send(other, to)).status).toBe(200);
    expect(await erase(to)).toBe(id);
  });

  it('does not erase later messages, and allows sends to a person who had not opted out', async () => {
    const to = sms.recipient();
    const v1 = (reference: string) =>
      postTo(sms, '/api/v1/sms/send', tenant.key, {
        to,
        sender_id: tenant.sender.id,
        template_id: tenant.template.id,
        variables: { code: '1' },
        reference,
      });
    const referenceOf = async (id: unknown) =>
      (await sms.database.query('SELECT reference FROM sms.messages WHERE id = $1', [id]))[0];
    const first = await v1(`order of ${to}`);
    await until('the message is sent', async () => (await stored(first.body['id'])).status === 'delivered');
    const email = 'ann@example.com';
    const bystander = sms.recipient();
    const about = await postTo(sms, '/api/v1/sms/send', tenant.key, {
      to: bystander,
      sender_id: tenant.sender.id,
      template_id: tenant.template.id,
      variables: { code: '1' },
      reference: `about ${email.toUpperCase()}`,
    });
    await erase(email);
    expect(await referenceOf(about.body['id'])).toEqual({ reference: null });
    await erase(to);
    expect(await referenceOf(first.body['id'])).toEqual({ reference: null });
    const second = await v1('second');
    expect(second.status).toBeLessThan(300);
    expect(await stored(second.body['id'])).toMatchObject({ recipient: to });
    expect(await referenceOf(second.body['id'])).toEqual({ reference: 'second' });
  });

  it('cancels and refunds messages that wait until their campaign is resumed', async () => {
    const to = sms.recipient();
    const campaignId = newId();
    await sms.database.query(
      `INSERT INTO campaigns.campaigns (id, organization_id, workspace_id, channel, name, status, content, audience, started_at, queued)
       VALUES ($1, $2, $3, 'sms', 'Spring', 'paused', '{}', '{}', now(), 1)`,
      [campaignId, tenant.organizationId, tenant.workspaceId],
    );
    sms.carrier.behave({ submit: 'throttle' }, to);
    const { body } = await send(tenant, to);
    await sms.database.query('UPDATE sms.messages SET campaign_id = $2 WHERE id = $1', [body['messageId'], campaignId]);
    sms.carrier.behaviours.reset();
    await erase(to);
    expect(await stored(body['messageId'])).toMatchObject({ body: '', status: 'canceled' });
    const refunds = await sms.database.query<{ amount: number }>(
      `SELECT amount::int FROM credits.ledger WHERE reference = $1 AND kind = 'refund'`,
      [`sms:${String(body['messageId'])}`],
    );
    expect(refunds).toEqual([{ amount: 1 }]);
  });
});
