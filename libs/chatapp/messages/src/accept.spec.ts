import { findBrokenEntries, reconcile } from '@heliograph/credits';
import { newId } from '@heliograph/database';
import { MessagesFixture, newNumber, type Tenant } from './messages.fixture';
import type { AcceptanceResult, AcceptanceRow } from './rows';
import { acceptMessages, recordInbound } from './write-messages';

const HOUR_MS = 60 * 60_000;

describe('the acceptance of sends', () => {
  let chatapp: MessagesFixture;
  beforeAll(async () => {
    chatapp = await MessagesFixture.start();
  });
  afterAll(async () => {
    expect([...(await reconcile(chatapp.pool)), ...(await findBrokenEntries(chatapp.pool))]).toEqual([]);
    await chatapp.stop();
  });

  const accept = (rows: AcceptanceRow[]): Promise<AcceptanceResult[]> => acceptMessages(chatapp.pool, rows);
  const outcomes = async (rows: AcceptanceRow[]): Promise<string[]> =>
    (await accept(rows)).map(({ outcome }) => outcome);
  const writes = (number: string, agoMs: number): Promise<number> =>
    recordInbound(chatapp.pool, [chatapp.inbound(number, { occurred_at: new Date(Date.now() - agoMs).toISOString() })]);
  const service = (tenant: Tenant, recipient: string, more: Partial<AcceptanceRow> = {}): AcceptanceRow =>
    chatapp.acceptance(tenant, {
      recipient,
      type: 'text',
      template_name: null,
      category: 'service',
      price: 40,
      needs_window: true,
      is_free_in_window: true,
      monthly_limit: 1_000,
      ...more,
    });

  it('charges, stores the message and publishes the charge in one commit', async () => {
    const tenant = await chatapp.tenant(250);
    const row = chatapp.acceptance(tenant);
    expect(await accept([row])).toEqual([expect.objectContaining({ outcome: 'posted', balance: 150, is_free: false })]);
    expect(await chatapp.message(row.id)).toMatchObject({
      organizationId: tenant.organizationId,
      workspaceId: tenant.workspaceId,
      direction: 'outbound',
      status: 'accepted',
      type: 'template',
      templateName: 'welcome',
      category: 'marketing',
      price: 100,
      currency: 'INR',
      isCharged: true,
      isFree: false,
      upstreamId: null,
    });
    const [event] = await chatapp.database.query<{ payload: { type: string; data: object } }>(
      'SELECT payload FROM messaging.outbox WHERE id = $1',
      [row.entry_id],
    );
    expect(event?.payload).toMatchObject({
      type: 'credits.charged',
      data: { creditType: 'chatapp', amount: -100, reference: `chatapp:${row.id}` },
    });
  });

  it('spends the last credit once, in the order of arrival, and stores nothing for the other sends', async () => {
    const tenant = await chatapp.tenant(250);
    const rows = Array.from({ length: 4 }, () => chatapp.acceptance(tenant));
    expect(await outcomes(rows)).toEqual(['posted', 'posted', 'insufficient', 'insufficient']);
    const stored = await chatapp.database.query('SELECT id FROM chatapp.messages WHERE workspace_id = $1', [
      tenant.workspaceId,
    ]);
    expect(stored).toHaveLength(2);
    expect(await chatapp.balance(tenant)).toBe(50);
  });

  it('rejects opted-out numbers, for that organization only, before the window and credit checks', async () => {
    const tenant = await chatapp.tenant(1);
    const other = await chatapp.tenant();
    const number = newNumber();
    await chatapp.database.query(
      `INSERT INTO chatapp.consents (id, organization_id, number, status, source) VALUES ($1, $2, $3, 'opted_out', 'api')`,
      [newId(), tenant.organizationId, number],
    );
    expect(await outcomes([service(tenant, number), chatapp.acceptance(other, { recipient: number })])).toEqual([
      'opted_out',
      'posted',
    ]);
  });

  it('refuses a number that has opted out since the terms of the send were decided, and releases its key', async () => {
    const tenant = await chatapp.tenant();
    const claim = { caller_id: newId(), endpoint: 'chatapp.send', idempotency_key: 'k', fingerprint: 'f' };
    const row = chatapp.acceptance(tenant, claim);
    await chatapp.database.query(
      `INSERT INTO chatapp.consents (id, organization_id, number, status, source) VALUES ($1, $2, $3, 'opted_out', 'api')`,
      [newId(), tenant.organizationId, row.recipient],
    );
    const decided = { ...row, ord: 0, is_free: true, allowance_month: null, upstream_number: null };
    expect(await chatapp.query('SELECT outcome, is_free FROM chatapp.accept($1)', [JSON.stringify([decided])])).toEqual(
      [{ outcome: 'opted_out', is_free: false }],
    );
    expect(await chatapp.message(row.id)).toEqual({});
    expect(await chatapp.query('SELECT key FROM idempotency.answers WHERE caller_id = $1', [claim.caller_id])).toEqual(
      [],
    );
  });

  it('opens the window for 24 hours after an inbound message to any organization', async () => {
    const tenant = await chatapp.tenant();
    const late = newNumber();
    const early = newNumber();
    const never = newNumber();
    await writes(late, 24 * HOUR_MS + 60_000);
    await writes(early, 24 * HOUR_MS - 60_000);
    expect(await outcomes([service(tenant, late), service(tenant, early), service(tenant, never)])).toEqual([
      'window_closed',
      'posted',
      'window_closed',
    ]);
    // An older message that arrives later does not close the window.
    await writes(early, 30 * HOUR_MS);
    expect(await outcomes([service(tenant, early)])).toEqual(['posted']);
  });

  it('ignores window timestamps from the provider, and limits a window to 24 hours', async () => {
    const tenant = await chatapp.tenant();
    const system = newNumber();
    const future = newNumber();
    await recordInbound(chatapp.pool, [
      chatapp.inbound(system, { type: 'system', occurred_at: new Date().toISOString() }),
      chatapp.inbound(future, { occurred_at: new Date(Date.now() + 12 * HOUR_MS).toISOString() }),
    ]);
    expect(await outcomes([service(tenant, system)])).toEqual(['window_closed']);
    const [row] = await chatapp.database.query<{ is_future: boolean }>(
      'SELECT last_inbound_at > now() AS is_future FROM chatapp.numbers WHERE number = $1',
      [future],
    );
    expect(row).toEqual({ is_future: false });
  });

  it('applies the window and the opt-out of a number to its alias', async () => {
    const tenant = await chatapp.tenant();
    const dialed = newNumber();
    const upstream = newNumber();
    await chatapp.sent(tenant, { recipient: dialed }, { upstream_number: upstream });
    expect(await outcomes([service(tenant, dialed)])).toEqual(['window_closed']);
    await writes(upstream, 0);
    expect(await outcomes([service(tenant, dialed)])).toEqual(['posted']);
    await recordInbound(chatapp.pool, [chatapp.saysStop(upstream)]);
    expect(await outcomes([service(tenant, dialed)])).toEqual(['opted_out']);
  });

  it('makes a utility template free in an open window, but not outside it', async () => {
    const tenant = await chatapp.tenant();
    const open = newNumber();
    const closed = newNumber();
    await writes(open, 0);
    const utility = (recipient: string) =>
      chatapp.acceptance(tenant, { recipient, category: 'utility', price: 15, is_free_in_window: true });
    const rows = [utility(open), utility(closed)];
    expect((await accept(rows)).map(({ is_free: isFree }) => isFree)).toEqual([true, false]);
    expect(await chatapp.balance(tenant)).toBe(1_000 - 15);
    expect(await chatapp.message(rows[0]?.id ?? '')).toMatchObject({ price: 0, isFree: true, isCharged: false });
  });

  it('counts the free messages of a month correctly for concurrent sends', async () => {
    const tenant = await chatapp.tenant(100_000);
    const number = newNumber();
    await writes(number, 0);
    const batches = Array.from({ length: 12 }, () =>
      Array.from({ length: 10 }, () => service(tenant, number, { monthly_limit: 100 })),
    );
    const results = (await Promise.all(batches.map(accept))).flat();
    expect(results.filter(({ is_free: isFree }) => isFree)).toHaveLength(100);
    expect(await chatapp.balance(tenant)).toBe(100_000 - 20 * 40);
    const uses = await chatapp.database.query(
      'SELECT used, month::text FROM chatapp.allowance_uses WHERE workspace_id = $1',
      [tenant.workspaceId],
    );
    expect(uses).toEqual([{ used: 100, month: `${new Date().toISOString().slice(0, 7)}-01` }]);
  });

  it('charges the first message after the last free one', async () => {
    const tenant = await chatapp.tenant();
    const number = newNumber();
    await writes(number, 0);
    const rows = Array.from({ length: 4 }, () => service(tenant, number, { monthly_limit: 3 }));
    expect((await accept(rows)).map(({ is_free: isFree }) => isFree)).toEqual([true, true, true, false]);
  });

  it('uses no free message for a rejected send', async () => {
    const tenant = await chatapp.tenant();
    const open = newNumber();
    const closed = newNumber();
    await writes(open, 0);
    const rows = [closed, open, closed, open].map((number) => service(tenant, number, { monthly_limit: 2 }));
    expect((await accept(rows)).map(({ outcome, is_free: isFree }) => [outcome, isFree])).toEqual([
      ['window_closed', false],
      ['posted', true],
      ['window_closed', false],
      ['posted', true],
    ]);
  });

  it('claims an idempotency key once, and releases it after a rejection', async () => {
    const tenant = await chatapp.tenant(150);
    const claim = { caller_id: newId(), endpoint: 'chatapp.send', idempotency_key: 'k', fingerprint: 'f' };
    const first = chatapp.acceptance(tenant, claim);
    const second = chatapp.acceptance(tenant, claim);
    expect(await outcomes([first, second])).toEqual(['posted', 'repeated']);
    expect(await outcomes([chatapp.acceptance(tenant, claim)])).toEqual(['repeated']);
    expect(await chatapp.balance(tenant)).toBe(50);
    const poor = { ...claim, idempotency_key: 'poor' };
    expect(await outcomes([chatapp.acceptance(tenant, poor)])).toEqual(['insufficient']);
    expect(
      await chatapp.database.query('SELECT key, body FROM idempotency.answers WHERE caller_id = $1', [claim.caller_id]),
    ).toEqual([{ key: 'k', body: { pending: first.id } }]);
  });

  it('charges nothing when the price is 0', async () => {
    const tenant = await chatapp.tenant(1);
    const row = chatapp.acceptance(tenant, { price: 0 });
    expect(await accept([row])).toEqual([expect.objectContaining({ outcome: 'posted', is_free: false })]);
    expect(await chatapp.message(row.id)).toMatchObject({ price: 0, isCharged: false, isFree: false });
  });
});
