import { findBrokenEntries, reconcile } from '@heliograph/credits';
import { newId } from '@heliograph/database';
import { MessagesFixture, newNumber } from './messages.fixture';
import type { AcceptanceRow, AnswerRow } from './rows';
import { acceptMessages, recordAnswers, recordInbound, recordStatuses, settleOverdue } from './write-messages';

describe('the responses of the provider', () => {
  let chatapp: MessagesFixture;
  beforeAll(async () => {
    chatapp = await MessagesFixture.start();
  });
  afterAll(async () => {
    expect([...(await reconcile(chatapp.pool)), ...(await findBrokenEntries(chatapp.pool))]).toEqual([]);
    await chatapp.stop();
  });

  const record = (...rows: AnswerRow[]) => recordAnswers(chatapp.pool, rows);
  const refusal = (id: string, more: Partial<AnswerRow> = {}): AnswerRow =>
    chatapp.answer(id, { upstream_id: null, error: 'Template does not exist', error_code: 132001, ...more });
  const silence = (id: string): AnswerRow =>
    refusal(id, { error: 'The provider did not answer', error_code: null, is_presumed: true });
  const free: Partial<AcceptanceRow> = {
    category: 'service',
    price: 40,
    is_free_in_window: true,
    monthly_limit: 1_000,
  };
  const usedBy = async (workspaceId: string): Promise<number> => {
    const [row] = await chatapp.database.query<{ used: number }>(
      'SELECT used FROM chatapp.allowance_uses WHERE workspace_id = $1',
      [workspaceId],
    );
    return row?.used ?? 0;
  };

  it('set the provider id of an accepted message, and assign the number to the organization', async () => {
    const tenant = await chatapp.tenant();
    const sent = await chatapp.sent(tenant);
    expect(await chatapp.message(sent.id)).toMatchObject({ status: 'accepted', upstreamId: sent.upstreamId });
    expect(
      await chatapp.database.query('SELECT organization_id, workspace_id FROM chatapp.numbers WHERE number = $1', [
        sent.recipient,
      ]),
    ).toEqual([{ organization_id: tenant.organizationId, workspace_id: tenant.workspaceId }]);
  });

  it('refund a rejected message once, and publish the refund', async () => {
    const tenant = await chatapp.tenant(100);
    const send = await chatapp.accepted(tenant);
    expect(await chatapp.balance(tenant)).toBe(0);
    await record(refusal(send.id));
    await record(refusal(send.id));
    expect(await chatapp.balance(tenant)).toBe(100);
    expect(await chatapp.message(send.id)).toMatchObject({
      status: 'failed',
      error: 'Template does not exist',
      errorCode: 132001,
      upstreamId: null,
      isCharged: false,
      price: 100,
    });
    expect(await chatapp.events(send.id)).toEqual([
      expect.objectContaining({
        type: 'chatapp.failed',
        correlationId: 'call-1',
        data: expect.objectContaining({ refunded: true, chatappMessageId: null, errorCode: 132001 }) as object,
      }),
    ]);
  });

  it('return a rejected free message to the allowance of its month', async () => {
    const tenant = await chatapp.tenant();
    const number = newNumber();
    await recordInbound(chatapp.pool, [chatapp.inbound(number, { occurred_at: new Date().toISOString() })]);
    const first = await chatapp.accepted(tenant, { ...free, recipient: number });
    await chatapp.sent(tenant, { ...free, recipient: number });
    expect(await usedBy(tenant.workspaceId)).toBe(2);
    await record(refusal(first.id));
    expect(await usedBy(tenant.workspaceId)).toBe(1);
    expect(await chatapp.balance(tenant)).toBe(1_000);
  });

  it('refund an unanswered message, and charge it again when a status proves that it was sent', async () => {
    const tenant = await chatapp.tenant(100);
    const send = await chatapp.accepted(tenant);
    await record(silence(send.id));
    expect(await chatapp.message(send.id)).toMatchObject({ status: 'failed', isPresumed: true, isCharged: false });
    expect(await chatapp.balance(tenant)).toBe(100);
    await recordStatuses(chatapp.pool, [chatapp.status(send, 'sent'), chatapp.status(send, 'delivered')]);
    await recordStatuses(chatapp.pool, [chatapp.status(send, 'sent')]);
    expect(await chatapp.message(send.id)).toMatchObject({
      status: 'delivered',
      upstreamId: send.upstreamId,
      isPresumed: false,
      isCharged: true,
      error: null,
      failedAt: null,
    });
    expect(await chatapp.balance(tenant)).toBe(0);
  });

  it('charge once for a sent and a failed status in any order, and not for a failed status alone', async () => {
    for (const [statuses, left] of [
      [['failed'], 100],
      [['failed', 'sent'], 0],
      [['sent', 'failed'], 0],
      [['failed', 'delivered', 'read'], 0],
    ] as const) {
      const tenant = await chatapp.tenant(100);
      const send = await chatapp.accepted(tenant);
      await record(silence(send.id));
      for (const status of statuses) await recordStatuses(chatapp.pool, [chatapp.status(send, status)]);
      expect([statuses, await chatapp.balance(tenant)]).toEqual([statuses, left]);
      expect((await chatapp.message(send.id)).isCharged).toBe(left === 0);
    }
  });

  it('never make the balance negative with a late charge', async () => {
    const tenant = await chatapp.tenant(100);
    const send = await chatapp.accepted(tenant);
    await record(silence(send.id));
    await chatapp.sent(tenant);
    await recordStatuses(chatapp.pool, [chatapp.status(send, 'delivered')]);
    expect(await chatapp.message(send.id)).toMatchObject({ status: 'delivered', isCharged: false });
    expect(await chatapp.balance(tenant)).toBe(0);
  });

  it('count a free message again if a late status confirms it', async () => {
    const tenant = await chatapp.tenant();
    const number = newNumber();
    await recordInbound(chatapp.pool, [chatapp.inbound(number, { occurred_at: new Date().toISOString() })]);
    const send = await chatapp.accepted(tenant, { ...free, recipient: number });
    await record(silence(send.id));
    expect(await usedBy(tenant.workspaceId)).toBe(0);
    await recordStatuses(chatapp.pool, [chatapp.status(send, 'read')]);
    expect(await usedBy(tenant.workspaceId)).toBe(1);
    expect(await chatapp.balance(tenant)).toBe(1_000);
  });

  it('do not override a status that arrived before a missing response', async () => {
    const tenant = await chatapp.tenant(100);
    const send = await chatapp.accepted(tenant);
    await recordStatuses(chatapp.pool, [chatapp.status(send, 'sent')]);
    expect(await record(silence(send.id))).toEqual([expect.objectContaining({ upstream_id: send.upstreamId })]);
    expect(await chatapp.message(send.id)).toMatchObject({ status: 'sent', isCharged: true });
    expect(await chatapp.balance(tenant)).toBe(0);
  });

  it('keep a status that arrived first, with and without the message id in the response', async () => {
    const tenant = await chatapp.tenant();
    const send = await chatapp.accepted(tenant);
    await recordStatuses(chatapp.pool, [chatapp.status(send, 'delivered', { callback_id: null })]);
    expect(await chatapp.unmatchedStatuses(send.upstreamId)).toEqual(['delivered']);
    await record(chatapp.answer(send.id, { upstream_id: send.upstreamId }));
    expect(await chatapp.message(send.id)).toMatchObject({ status: 'delivered' });
    expect(await chatapp.unmatchedStatuses(send.upstreamId)).toEqual([]);
  });

  it('opt in the recipient, unless a consent is recorded', async () => {
    const tenant = await chatapp.tenant();
    const fresh = newNumber();
    const out = newNumber();
    const pending = newNumber();
    for (const [number, status] of [
      [out, 'opted_out'],
      [pending, 'pending'],
    ]) {
      await chatapp.database.query(
        'INSERT INTO chatapp.consents (id, organization_id, number, status, source) VALUES ($1, $2, $3, $4, $5)',
        [newId(), tenant.organizationId, number, status, 'api'],
      );
    }
    await chatapp.sent(tenant, { recipient: fresh });
    await chatapp.sent(tenant, { recipient: fresh });
    await chatapp.sent(tenant, { recipient: pending });
    expect(await chatapp.consent(tenant.organizationId, fresh)).toEqual(['opted_in', 'send']);
    expect(await chatapp.consent(tenant.organizationId, pending)).toEqual(['opted_in', 'send']);
    // An opt-out that arrives while a message is being sent stays in effect.
    const late = await chatapp.accepted(tenant);
    await chatapp.database.query(
      `INSERT INTO chatapp.consents (id, organization_id, number, status, source) VALUES ($1, $2, $3, 'opted_out', 'api')`,
      [newId(), tenant.organizationId, late.recipient],
    );
    await record(chatapp.answer(late.id));
    expect(await chatapp.consent(tenant.organizationId, late.recipient)).toEqual(['opted_out', 'api']);
    expect(await chatapp.consent(tenant.organizationId, out)).toEqual(['opted_out', 'api']);
  });

  it('are stored for many messages to one number in one batch', async () => {
    const tenant = await chatapp.tenant(10_000);
    const recipient = newNumber();
    const rows = Array.from({ length: 30 }, () => chatapp.acceptance(tenant, { recipient }));
    await acceptMessages(chatapp.pool, rows);
    const results = await record(...rows.map(({ id }, index) => (index % 3 === 0 ? refusal(id) : chatapp.answer(id))));
    expect(results.filter(({ upstream_id: upstreamId }) => upstreamId !== null)).toHaveLength(20);
    expect(await chatapp.balance(tenant)).toBe(10_000 - 20 * 100);
  });

  it('store the response for repeated calls, and release the key after a transient error', async () => {
    const tenant = await chatapp.tenant();
    const caller = newId();
    const claim = (key: string) => ({ caller_id: caller, endpoint: 'chatapp.send', idempotency_key: key });
    const accepted = async (key: string) => (await chatapp.accepted(tenant, { ...claim(key), fingerprint: 'f' })).id;
    const taken = await accepted('taken');
    const refused = await accepted('refused');
    const limited = await accepted('limited');
    const silent = await accepted('silent');
    const body = { code: 'CHATAPP_REQUEST_INVALID', message: 'no' };
    await record(
      { ...chatapp.answer(taken), ...claim('taken'), answer_status: 200, answer: { ok: true } },
      { ...refusal(refused), ...claim('refused'), answer_status: 400, answer: body },
      { ...refusal(limited), ...claim('limited'), answer_status: null, answer: null },
      { ...silence(silent), ...claim('silent'), answer_status: null, answer: null },
    );
    expect(
      await chatapp.database.query(
        'SELECT key, status, body FROM idempotency.answers WHERE caller_id = $1 ORDER BY key',
        [caller],
      ),
    ).toEqual([
      { key: 'refused', status: 400, body },
      { key: 'taken', status: 200, body: { ok: true } },
    ]);
  });

  it('do not change the key of a late response if another message has claimed it', async () => {
    const tenant = await chatapp.tenant();
    const caller = newId();
    const claim = (key: string) => ({ caller_id: caller, endpoint: 'chatapp.send', idempotency_key: key });
    const accepted = async (key: string) => (await chatapp.accepted(tenant, { ...claim(key), fingerprint: 'f' })).id;
    const givenUp = [await accepted('taken late'), await accepted('never answered')] as const;
    await chatapp.database.query('DELETE FROM idempotency.answers WHERE caller_id = $1', [caller]);
    const second = await accepted('taken late');
    const third = await accepted('never answered');
    await record(
      { ...chatapp.answer(givenUp[0]), ...claim('taken late'), answer_status: 200, answer: { ok: true } },
      { ...silence(givenUp[1]), ...claim('never answered'), answer_status: null, answer: null },
    );
    expect(
      await chatapp.database.query('SELECT body FROM idempotency.answers WHERE caller_id = $1 ORDER BY key', [caller]),
    ).toEqual([{ body: { pending: third } }, { body: { pending: second } }]);
  });

  it('mark only sends without a response as failed after the timeout, and refund them', async () => {
    const tenant = await chatapp.tenant(300);
    const overdue = await chatapp.accepted(tenant);
    const proven = await chatapp.accepted(tenant);
    const young = await chatapp.accepted(tenant);
    await chatapp.database.query(
      `UPDATE chatapp.messages SET created_at = now() - interval '20 minutes' WHERE id = ANY($1)`,
      [[overdue.id, proven.id]],
    );
    await recordStatuses(chatapp.pool, [chatapp.status(proven, 'sent')]);
    const settled = await Promise.all([1, 2, 3].map(() => settleOverdue(chatapp.pool, 900_000, 100)));
    expect(settled.reduce((sum, count) => sum + count, 0)).toBe(1);
    expect(await chatapp.message(overdue.id)).toMatchObject({ status: 'failed', isPresumed: true, isCharged: false });
    expect(await chatapp.message(proven.id)).toMatchObject({ status: 'sent', isCharged: true });
    expect(await chatapp.message(young.id)).toMatchObject({ status: 'accepted', isCharged: true });
    expect(await chatapp.balance(tenant)).toBe(100);
    // The answer arrives after the settlement, so the message is charged again.
    await record(chatapp.answer(overdue.id, { upstream_id: overdue.upstreamId }));
    expect(await chatapp.message(overdue.id)).toMatchObject({
      status: 'accepted',
      upstreamId: overdue.upstreamId,
      isCharged: true,
      failedAt: null,
    });
    expect(await chatapp.balance(tenant)).toBe(0);
  });
});
