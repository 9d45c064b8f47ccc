import { until } from '@heliograph/testing';
import { call, reportOf, send, sendOk, type Answer } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';

const LATER = '2099-01-01T10:00:00.123456+05:30';

describe('a scheduled send', () => {
  let email: EmailFixture;
  let tenant: EmailTenant;
  beforeAll(async () => {
    email = await EmailFixture.shared();
    tenant = await email.tenant();
  });

  const fields = (to: string | string[], scheduledAt = LATER): object => ({
    to,
    subject: 'Hi',
    text: 'Hi',
    scheduledAt,
  });
  const inMs = (ms: number): string => new Date(Date.now() + ms).toISOString();
  const cancel = (id: string, key = tenant.key): Promise<Answer> =>
    call(email, `/email/cancel?id=${id}`, { method: 'POST', key });
  const suppress = (address: string): Promise<unknown> =>
    email.rows(
      `INSERT INTO email.suppressions (organization_id, address_key, address, reason) VALUES ($1, $2, $2, 'manual')`,
      [tenant.organizationId, address],
    );
  const bringForward = (id: string): Promise<unknown> =>
    email.rows('UPDATE messaging.outbox SET available_at = now() WHERE id = $1', [id]);

  it('is charged at acceptance, and its results have no messageId yet', async () => {
    const before = await email.balance(tenant.workspaceId);
    const to = [email.recipient(), email.recipient()];
    const answer = await sendOk(email, tenant.key, fields(to));
    expect(answer).toEqual({
      ok: true,
      id: answer.id,
      status: 'scheduled',
      from: tenant.from,
      recipientCount: 2,
      sentCount: 0,
      failedCount: 0,
      skippedCount: 0,
      scheduledAt: '2099-01-01T04:30:00.123456',
      messageId: answer.id,
      results: to.map((address) => ({ to: address, ok: true, messageId: null, error: null, skipped: false })),
    });
    expect(await email.balance(tenant.workspaceId)).toBe(before - 2);
    expect(await reportOf(email, tenant.key, answer.id)).toMatchObject({ status: 'scheduled', to: to.join(', ') });
  });

  it('is sent on time', async () => {
    const to = email.recipient();
    const at = inMs(3_000);
    const { id } = await sendOk(email, tenant.key, fields(to, at));
    await until('the mail arrives', () => email.mailbox.mails(to).length === 1);
    const lateMs = Date.now() - Date.parse(at);
    expect(lateMs).toBeGreaterThanOrEqual(0);
    await until('the mail is sent', async () => (await reportOf(email, tenant.key, id)).status === 'sent');
  });

  it('can be canceled once before it is sent, with a refund', async () => {
    const before = await email.balance(tenant.workspaceId);
    const to = [email.recipient(), email.recipient()];
    const { id } = await sendOk(email, tenant.key, fields(to));
    const canceled = await cancel(id);
    expect([canceled.status, canceled.body['status'], canceled.body['id']]).toEqual([200, 'canceled', id]);
    expect(await email.balance(tenant.workspaceId)).toBe(before);
    const again = await cancel(id);
    expect([again.status, again.body['code']]).toEqual([409, 'NOT_CANCELABLE']);
    expect(await email.balance(tenant.workspaceId)).toBe(before);
    expect(await email.rows('SELECT FROM messaging.outbox WHERE id = $1', [id])).toHaveLength(0);
  });

  it('cannot be canceled by another organization, or after it was sent', async () => {
    const { id } = await sendOk(email, tenant.key, fields(email.recipient()));
    const other = await email.tenant();
    expect((await cancel(id, other.key)).body['code']).toBe('NOT_FOUND');
    expect((await cancel('nothing')).body['code']).toBe('NOT_FOUND');
    expect((await call(email, '/email/cancel', { method: 'POST', key: tenant.key })).body['code']).toBe(
      'INVALID_REQUEST',
    );
    const { id: sent } = await sendOk(email, tenant.key, { to: email.recipient(), subject: 'Hi', text: 'Hi' });
    expect((await cancel(sent)).body['code']).toBe('NOT_CANCELABLE');
  });

  it('skips and refunds recipients that are suppressed at the time of sending', async () => {
    const before = await email.balance(tenant.workspaceId);
    const stays = email.recipient();
    const goes = email.recipient();
    const { id } = await sendOk(email, tenant.key, fields([stays, goes]));
    await suppress(goes);
    await bringForward(id);
    await until('the mail arrives', () => email.mailbox.mails(stays).length === 1);
    await until('the refund is posted', async () => (await email.balance(tenant.workspaceId)) === before - 1);
    expect(email.mailbox.mails(goes)).toHaveLength(0);
  });

  it('is skipped if every recipient is suppressed, at acceptance or at the time of sending', async () => {
    const before = await email.balance(tenant.workspaceId);
    const to = email.recipient();
    await suppress(to);
    const atOnce = await sendOk(email, tenant.key, fields(to));
    expect(atOnce).toMatchObject({ ok: true, status: 'skipped', skippedCount: 1 });

    const later = email.recipient();
    const { id } = await sendOk(email, tenant.key, fields(later));
    await suppress(later);
    await bringForward(id);
    await until('the send is skipped', async () => (await reportOf(email, tenant.key, id)).status === 'skipped');
    expect(await email.balance(tenant.workspaceId)).toBe(before);
  });

  it('fails with a refund if the backend rejects it', async () => {
    const before = await email.balance(tenant.workspaceId);
    const to = email.recipient();
    email.mailbox.behave({ reply: { code: 550, text: '5.1.1 nobody' } }, to);
    const { id } = await sendOk(email, tenant.key, fields(to));
    await bringForward(id);
    await until('the send has failed', async () => (await reportOf(email, tenant.key, id)).status === 'failed');
    expect(await email.balance(tenant.workspaceId)).toBe(before);
  });

  it('returns the same response to a repeated call, even after it was sent', async () => {
    const to = email.recipient();
    const headers = { 'Idempotency-Key': 'the same' };
    const first = await send(email, tenant.key, fields(to), { headers });
    await bringForward(String(first.body['id']));
    await until('the mail arrives', () => email.mailbox.mails(to).length === 1);
    const second = await send(email, tenant.key, fields(to), { headers });
    expect([second.status, second.text, second.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
    expect(email.mailbox.mails(to)).toHaveLength(1);
  });
});
