import { until } from '@heliograph/testing';
import { call, send } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';

describe('an Idempotency-Key', () => {
  let email: EmailFixture;
  let tenant: EmailTenant;
  let number = 0;
  beforeAll(async () => {
    email = await EmailFixture.shared();
    tenant = await email.tenant();
  });
  afterEach(() => email.mailbox.behaviours.reset());

  const newKey = (): string => `key ${++number}`;
  const keyed = (key: string, body: object, path = '/email/send') =>
    send(email, tenant.key, body, { path, headers: { 'Idempotency-Key': key } });
  const fields = (to = email.recipient()): { to: string; subject: string; text: string } => ({
    to,
    subject: 'Hi',
    text: 'Hi',
  });

  it('sends and charges once and replays the first response, on both prefixes', async () => {
    const before = await email.balance(tenant.workspaceId);
    const key = newKey();
    const body = fields();
    const first = await keyed(key, body);
    const second = await keyed(key, body, '/api/email/send');
    expect([second.status, second.text]).toEqual([200, first.text]);
    expect([first, second].map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true']);
    expect(email.mailbox.mails(body.to)).toHaveLength(1);
    expect(await email.balance(tenant.workspaceId)).toBe(before - 1);
  });

  it('returns 409 IDEMPOTENCY_KEY_REUSED for a different request', async () => {
    const key = newKey();
    await keyed(key, fields());
    const answer = await keyed(key, fields());
    expect([answer.status, answer.body['code']]).toEqual([409, 'IDEMPOTENCY_KEY_REUSED']);
  });

  it('returns 409 IDEMPOTENCY_IN_PROGRESS while the first call runs, also in another process', async () => {
    const key = newKey();
    const body = fields();
    const beside = await email.beside();
    const headers = { 'Idempotency-Key': key };
    email.mailbox.behave({ delayMs: 4_000 }, body.to);
    const first = send(beside, tenant.key, body, { headers });
    await until('the send is in progress', async () => {
      const rows = await email.rows('SELECT FROM email.recipients WHERE address = $1', [body.to]);
      return rows.length === 1;
    });
    const here = await keyed(key, body);
    const there = await send(beside, tenant.key, body, { headers });
    expect([here.body['code'], there.body['code']]).toEqual(['IDEMPOTENCY_IN_PROGRESS', 'IDEMPOTENCY_IN_PROGRESS']);
    expect((await first).status).toBe(200);
    expect(email.mailbox.mails(body.to)).toHaveLength(1);
    await beside.service.stop();
  });

  it('replays permanent errors and processes the call again after a temporary one', async () => {
    const kept = newKey();
    const healing = newKey();
    const bad = { to: 'nobody', subject: 'Hi', text: 'Hi' };
    await keyed(kept, bad);
    expect((await keyed(kept, bad)).headers.get('idempotent-replayed')).toBe('true');

    const body = fields();
    email.mailbox.behave({ reply: { code: 550, text: '5.7.1 no' } }, body.to);
    const refused = await keyed(healing, body);
    expect([refused.status, refused.body['code']]).toEqual([502, 'EMAIL_SEND_FAILED']);
    email.mailbox.behaviours.reset();
    expect((await keyed(healing, body)).status).toBe(200);
    expect(email.mailbox.mails(body.to)).toHaveLength(1);
  });

  it('returns the response derived from the stored send if no response was stored', async () => {
    const key = newKey();
    const body = fields();
    const first = await keyed(key, body);
    await email.rows(`UPDATE idempotency.answers SET body = json_build_object('pending', $1::text) WHERE key = $2`, [
      first.body['id'],
      key,
    ]);
    const second = await keyed(key, body);
    expect([second.status, second.body]).toEqual([200, first.body]);
    expect(email.mailbox.mails(body.to)).toHaveLength(1);
  });

  it('creates one send for many concurrent calls', async () => {
    const before = await email.balance(tenant.workspaceId);
    const key = newKey();
    const body = fields();
    const answers = await Promise.all(Array.from({ length: 10 }, () => keyed(key, body)));
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1);
    expect(answers.every(({ status, body: { code } }) => status === 200 || code === 'IDEMPOTENCY_IN_PROGRESS')).toBe(
      true,
    );
    expect(email.mailbox.mails(body.to)).toHaveLength(1);
    expect(await email.balance(tenant.workspaceId)).toBe(before - 1);
  });

  it.each(['', 'x'.repeat(256), 'a\tb'])('returns 400 for the invalid key %j', async (key) => {
    const answer = await call(email, '/email/send', {
      method: 'POST',
      key: tenant.key,
      headers: { 'Idempotency-Key': key },
      json: fields(),
    });
    expect([answer.status, answer.body['code']]).toEqual([400, 'INVALID_REQUEST']);
  });
});
