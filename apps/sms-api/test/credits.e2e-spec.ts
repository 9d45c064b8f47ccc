import { reconcile } from '@heliograph/credits';
import { poolOf } from '@heliograph/database';
import { until } from '@heliograph/testing';
import { call, codeOf, postJson, postTo } from './calls';
import { SmsFixture, type SmsTenant } from './sms-fixture';

describe('credits', () => {
  let sms: SmsFixture;
  beforeAll(async () => {
    sms = await SmsFixture.shared();
  });

  const send = (tenant: SmsTenant, fields: object = {}) =>
    postJson(sms, tenant.key, { from: tenant.sender.header, to: sms.recipient(), message: 'x', ...fields });
  /** Sets the rate and waits until the service has loaded it. */
  const setRate = async ({ key, sender }: SmsTenant, country: string, to: string, rate: number) => {
    await sms.catalog.putRate(sms.tenants.dataSource.manager, country, rate);
    await until('the rate is effective', async () => {
      const { body } = await postTo(sms, '/api/v1/sms/quote', key, { sender_id: sender.id, message: 'x', to });
      return body['credits_cost'] === rate;
    });
  };
  const balance = async ({ key }: SmsTenant) => (await call(sms, '/sms/balance', { key })).body['balance'];
  const ledger = ({ workspaceId }: SmsTenant) =>
    sms.database.query<{ kind: string; amount: string; balance_after: string; reference: string }>(
      'SELECT kind, amount, balance_after, reference FROM credits.ledger WHERE workspace_id = $1 ORDER BY id',
      [workspaceId],
    );

  it('are charged at one per segment if the country has no rate', async () => {
    const tenant = await sms.tenant({ credits: 10, template: { body: '{{t}}' } });
    const { body } = await send(tenant, { variables: { t: 'a'.repeat(161) } });
    expect(body).toMatchObject({ segments: 2, creditsCost: 2, creditsRemaining: 8 });
  });

  it('are charged at the rate of the country per segment', async () => {
    const tenant = await sms.tenant({ credits: 10, onboarding: { country: 'DE' }, template: { body: '{{t}}' } });
    const message = { to: '+4915112345678', variables: { t: 'a'.repeat(161) } };
    await setRate(tenant, 'DE', message.to, 3);
    const { body } = await send(tenant, message);
    expect(body).toMatchObject({ segments: 2, creditsCost: 6, creditsRemaining: 4 });
    await setRate(tenant, 'DE', message.to, 5);
    expect(codeOf(await send(tenant, message))).toBe('INSUFFICIENT_CREDITS');
    expect(await balance(tenant)).toBe(4);
  });

  it('are not charged if the rate is 0', async () => {
    const tenant = await sms.tenant({ credits: 0, onboarding: { country: 'FR' } });
    await setRate(tenant, 'FR', '+33612345678', 0);
    const { body } = await send(tenant, { to: '+33612345678' });
    expect(body).toMatchObject({ creditsCost: 0, creditsRemaining: 0 });
  });

  it('that are insufficient return 402 INSUFFICIENT_CREDITS, and nothing is sent', async () => {
    const tenant = await sms.tenant({ credits: 1, template: { body: '{{t}}' } });
    const to = sms.recipient();
    const answer = await send(tenant, { to, variables: { t: 'a'.repeat(161) } });
    expect(answer.status).toBe(402);
    expect(answer.body).toEqual({ code: 'INSUFFICIENT_CREDITS', message: expect.any(String) as string });
    expect(await balance(tenant)).toBe(1);
    expect(await sms.database.query('SELECT 1 FROM sms.messages WHERE recipient = $1', [to])).toEqual([]);
    expect(await ledger(tenant)).toHaveLength(1);
  });

  it('return 402 in a workspace without a balance', async () => {
    const tenant = await sms.tenant({ credits: 0 });
    expect((await send(tenant)).status).toBe(402);
  });

  it('have a ledger entry for each movement, with the balance after it', async () => {
    const tenant = await sms.tenant({ credits: 3 });
    const { body } = await send(tenant, { scheduledAt: '2099-01-01T00:00:00Z' });
    await call(sms, `/sms/cancel?id=${String(body['messageId'])}`, { method: 'POST', key: tenant.key });
    const reference = `sms:${String(body['messageId'])}`;
    expect(await ledger(tenant)).toEqual([
      { kind: 'topup', amount: '3', balance_after: '3', reference: expect.any(String) as string },
      { kind: 'charge', amount: '-1', balance_after: '2', reference },
      { kind: 'refund', amount: '1', balance_after: '3', reference },
    ]);
  });

  it('are never overspent by concurrent requests', async () => {
    const tenant = await sms.tenant({ credits: 7 });
    const answers = await Promise.all(Array.from({ length: 60 }, () => send(tenant)));
    const accepted = answers.filter(({ status }) => status === 200);
    expect(accepted).toHaveLength(7);
    expect(answers.filter((answer) => codeOf(answer) === 'INSUFFICIENT_CREDITS')).toHaveLength(53);
    expect(accepted.map(({ body }) => body['creditsRemaining']).sort()).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(await balance(tenant)).toBe(0);
    const entries = await ledger(tenant);
    expect(entries.reduce((sum, { amount }) => sum + Number(amount), 0)).toBe(0);
    expect(entries.every(({ balance_after }) => Number(balance_after) >= 0)).toBe(true);
  });

  it('agree with the ledger after many concurrent sends and cancellations of mixed size', async () => {
    const tenants = await Promise.all(
      [40, 60, 80].map((credits) => sms.tenant({ credits, template: { body: '{{t}}' } })),
    );
    await Promise.all(
      Array.from({ length: 120 }, async (_, i) => {
        const tenant = tenants[i % 3]!;
        const scheduledAt = i % 2 ? '2099-01-01T00:00:00Z' : null;
        const { status, body } = await send(tenant, { variables: { t: 'a'.repeat((i % 4) * 150 + 1) }, scheduledAt });
        expect([200, 402]).toContain(status);
        if (status === 200 && scheduledAt) {
          await call(sms, `/sms/cancel?id=${String(body['messageId'])}`, { method: 'POST', key: tenant.key });
        }
      }),
    );
    expect(await reconcile(poolOf(sms.tenants.dataSource))).toEqual([]);
    const unpaid = await sms.database.query(
      `SELECT m.id FROM sms.messages AS m LEFT JOIN credits.ledger AS l
       ON l.reference = 'sms:' || m.id AND l.kind = 'charge' AND l.amount = -m.credits_cost
       WHERE l.id IS NULL AND m.credits_cost > 0`,
    );
    expect(unpaid).toEqual([]);
  });
});
