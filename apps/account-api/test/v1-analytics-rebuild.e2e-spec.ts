import { rebuildAnalytics, type Rebuilt } from '@heliograph/analytics';
import { newId, poolOf } from '@heliograph/database';
import { until } from '@heliograph/testing';
import { AccountFixture, type Tenant } from './account-fixture';
import { CountedTraffic } from './counted-traffic';
import { storeLead } from './bot-inbox-fixture';
import { storeChatapp } from './stored-messages';
import { botConversationStarted, chatappRead } from '@heliograph/contracts';

const TABLES = ['sms_rollups', 'sms_latencies', 'email_rollups', 'chatapp_rollups', 'bots_rollups', 'credits_rollups'];

describe('rebuildAnalytics', () => {
  let fixture: AccountFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    fixture = await AccountFixture.start();
    tenant = await fixture.tenant();
  });
  afterAll(() => fixture.stop());

  const range = (): [Date, Date] => [new Date(Date.now() - 40 * 86_400_000), new Date(Date.now() + 86_400_000)];
  const rebuild = (): Promise<Rebuilt[]> => rebuildAnalytics(poolOf(fixture.factory.dataSource), ...range());
  const differencesOf = (results: Rebuilt[]) =>
    results.reduce((sum, { changed, repaired }) => sum + changed + repaired, 0);
  /** Returns the rollups, without rows in which all counts are zero. */
  const rollups = async () => {
    const contents: Record<string, unknown[]> = {};
    for (const table of TABLES) {
      const rows = await fixture.database.query<{ row: Record<string, unknown> }>(
        `SELECT to_jsonb(t) AS row FROM analytics.${table} AS t`,
      );
      contents[table] = rows
        .map(({ row }) => row)
        .filter((row) =>
          Object.entries(row).some(([name, value]) => name !== 'bucket' && typeof value === 'number' && value !== 0),
        )
        .map((row) => JSON.stringify(row))
        .sort();
    }
    return contents;
  };

  it('finds no difference after traffic with refunds, failures, duplicates, and late and reordered events', async () => {
    const traffic = new CountedTraffic(fixture, tenant);
    const old = new Date(Date.now() - 20 * 86_400_000);
    const late = await traffic.sms({ status: 'sent', createdAt: old });
    for (const status of ['queued', 'sent', 'delivered', 'failed'] as const) await traffic.sms({ status });
    for (const status of ['failed', 'canceled'] as const)
      await traffic.sms({ status, isRefunded: true, country: 'DE' });
    const email = await traffic.email(
      [
        ['ann@example.com', 'sent', 'delivered', 'delivered', 'opened', 'machine'],
        ['bob@example.com', 'skipped', ''],
      ],
      { tags: ['news'] },
    );
    const chat = await storeChatapp(fixture, tenant.organizationId, tenant.workspace.id);
    const occurredAt = new Date().toISOString();
    await traffic.publish(chatappRead, { messageId: chat, chatappMessageId: 'x', to: '+919811111111', occurredAt });
    const answer = await fixture.call<{ bot: { id: string } }>('POST', `/api/workspaces/${tenant.workspace.id}/bots`, {
      key: tenant.key,
      body: { id: 'bot_counted', name: 'Counted' },
    });
    const home = { organizationId: tenant.organizationId, workspaceId: tenant.workspace.id };
    const { conversationId } = await storeLead(fixture, home, answer.data.bot.id);
    const bot = { conversationId, botId: 'bot_counted', channel: 'web', client: {}, occurredAt };
    await traffic.publish(botConversationStarted, bot);
    await fixture.database.query(`UPDATE sms.messages SET status = 'delivered', finished_at = now() WHERE id = $1`, [
      late,
    ]);
    for (let copy = 0; copy < 3; copy++) await traffic.publishSms(late);
    await traffic.publishEmail(email);
    await fixture.database.query(
      `INSERT INTO credits.ledger (id, workspace_id, credit_type, kind, amount, balance_after, reference)
       SELECT gen_random_uuid(), $1, 'sms', 'topup', 100, 100, 'not counted yet'`,
      [tenant.workspace.id],
    );

    await until('only the entry without an event is not counted', async () => {
      const results = await fixture.database.query(
        `SELECT (SELECT count(*) FROM analytics.sms_counted WHERE delivered = 1)::int AS sms,
           (SELECT sum(opened) FROM analytics.email_counted)::int AS opened,
           (SELECT count(*) FROM analytics.chatapp_counted)::int AS chat,
           (SELECT sum(leads) FROM analytics.bots_counted)::int AS leads,
           (SELECT count(*) FROM credits.ledger AS l LEFT JOIN analytics.credits_counted AS c ON c.id = l.id
            WHERE c.id IS NULL AND l.reference NOT LIKE 'chatapp:%')::int AS missing`,
      );
      return JSON.stringify(results[0]) === JSON.stringify({ sms: 2, opened: 2, chat: 1, leads: 1, missing: 1 });
    });
    const before = await rollups();
    expect((await rebuild()).map(({ source, changed, repaired }) => ({ source, changed, repaired }))).toEqual([
      { source: 'sms', changed: 0, repaired: 0 },
      { source: 'email', changed: 0, repaired: 0 },
      { source: 'chatapp', changed: 0, repaired: 0 },
      { source: 'bots', changed: 0, repaired: 0 },
      // The charge of the chat message and the top-up, which were stored without events.
      { source: 'credits', changed: 2, repaired: 0 },
    ]);
    const after = await rollups();
    expect({ ...after, credits_rollups: [] }).toEqual({ ...before, credits_rollups: [] });
    expect(differencesOf(await rebuild())).toBe(0);
  });

  it('counts an inbound chat message at its own timestamp, also if it arrived later', async () => {
    const { organizationId, workspace } = tenant;
    const day = 86_400_000;
    const sentAt = new Date(Date.now() - 3 * 3_600_000);
    for (const [occurredAt, counted] of [
      [sentAt, sentAt],
      [new Date(Date.now() - 8 * day), new Date(Date.now() - 8 * day)],
      // A wrong clock of the provider.
      [new Date(Date.now() + day / 2), new Date()],
    ] as const) {
      const id = newId();
      await fixture.database.query(
        `INSERT INTO chatapp.messages (id, organization_id, workspace_id, direction, status, type, recipient, sender,
           upstream_id, payload, occurred_at)
         VALUES ($1::uuid, $2, $3, 'inbound', 'received', 'text', '+15550100001', '+919811111111', $1::uuid::text, '{}', $4)`,
        [id, organizationId, workspace.id, occurredAt],
      );
      await fixture.database.query('SELECT analytics.count_chatapp($1)', [[id]]);
      const [row] = await fixture.database.query<{ at: Date }>(
        'SELECT at FROM analytics.chatapp_counted WHERE id = $1',
        [id],
      );
      const quarter = 15 * 60_000;
      expect(Math.abs(row!.at.getTime() - Math.floor(counted.getTime() / quarter) * quarter)).toBeLessThanOrEqual(
        quarter,
      );
    }
    expect(differencesOf(await rebuild())).toBe(0);
    const until = new Date(Date.now() - 7 * day);
    const partly = await rebuildAnalytics(poolOf(fixture.factory.dataSource), new Date(Date.now() - 9 * day), until);
    expect(partly.find(({ source }) => source === 'chatapp')).toEqual({
      source: 'chatapp',
      read: 1,
      changed: 0,
      repaired: 0,
    });
  });

  it('produces the same rollups after all rollups and counted records are deleted', async () => {
    const before = await rollups();
    for (const table of [
      ...TABLES,
      ...['sms', 'email', 'chatapp', 'bots', 'credits'].map((name) => `${name}_counted`),
    ]) {
      await fixture.database.query(`DELETE FROM analytics.${table}`);
    }
    expect(differencesOf(await rebuild())).toBeGreaterThan(0);
    expect(await rollups()).toEqual(before);
  });

  it('corrects incorrect rollups', async () => {
    const before = await rollups();
    await fixture.database.query('UPDATE analytics.sms_rollups SET delivered = delivered + 1');
    await fixture.database.query('DELETE FROM analytics.email_rollups');
    await fixture.database.query('UPDATE analytics.sms_latencies SET messages = 7');
    expect(differencesOf(await rebuild())).toBeGreaterThan(0);
    expect(await rollups()).toEqual(before);
    expect(differencesOf(await rebuild())).toBe(0);
  });
});
