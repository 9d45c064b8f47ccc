import { randomBytes } from 'node:crypto';
import { newId } from '@heliograph/database';
import { DKIM_PRIVATE_KEY } from '@heliograph/email-catalog';
import { KeyRing } from '@heliograph/secrets';
import { until } from '@heliograph/testing';
import { DomainKeysTask } from '../src/domains/domain-keys.task';
import { call, reportOf, send } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';
import { SCHEDULED } from './v1-calls';

interface StoredKey {
  id: string;
  sealed: string;
}

const OTHER_RING = KeyRing.parse(`k9:${randomBytes(32).toString('base64')}`, 'EMAIL_SECRETS_KEYS')!;
const CONTENT = { subject: 'Hi', text: 'Hi' };

describe('a sender whose DKIM key cannot be decrypted', () => {
  let email: EmailFixture;
  let tenant: EmailTenant;
  let key: StoredKey;
  beforeAll(async () => {
    email = await EmailFixture.start();
    // The other tenants get a copy of the key of the first one.
    await email.tenant();
  });
  beforeEach(async () => {
    tenant = await email.tenant();
    [key] = (await email.rows<StoredKey>(
      'SELECT id, dkim_private_key AS sealed FROM email.domains WHERE organization_id = $1',
      [tenant.organizationId],
    )) as [StoredKey];
  });
  afterEach(() => email.mailbox.behaviours.reset());
  afterAll(() => email.stop());

  const post = (path: string, body: unknown) => send(email, tenant.key, body, { path });
  const balance = () => email.balance(tenant.workspaceId);
  const store = (sealed: string) =>
    email.rows('UPDATE email.domains SET dkim_private_key = $2 WHERE id = $1', [key.id, sealed]);
  /** Seals the key as a process with other keys does, and waits until this process has noticed it. */
  const makeUnreadable = async (): Promise<void> => {
    await store(DKIM_PRIVATE_KEY.seal(OTHER_RING, key.id, 'a key'));
    await until('sends are refused', async () => {
      const { body } = await post('/api/v1/email/quote', { to: email.recipient(), ...CONTENT });
      return body['verdict'] === 'refused';
    });
  };
  const soon = async (id: string): Promise<void> => {
    await email.rows('UPDATE email.recipients SET next_try_at = now() WHERE message_id = $1 AND next_try_at > now()', [
      id,
    ]);
    await email.rows('UPDATE messaging.outbox SET available_at = now() WHERE id = $1', [id]);
  };

  it('cannot send: 409 SENDER_NOT_VERIFIED without a charge, in every kind of send', async () => {
    const before = await balance();
    await makeUnreadable();
    const to = email.recipient();
    const recipients = [{ to }];
    const answers = [
      await post('/email/send', { to, ...CONTENT }),
      await post('/email/send', { to, ...CONTENT, scheduledAt: SCHEDULED }),
      await post('/api/v1/email/send', { to, ...CONTENT }),
      await post('/api/v1/email/bulk', { recipients, ...CONTENT }),
    ];
    for (const { status, body } of answers) {
      expect([status, body['code']]).toEqual([409, 'SENDER_NOT_VERIFIED']);
      expect(body['message']).toContain(`cannot decrypt the DKIM key of ${tenant.domain}`);
    }
    expect(await balance()).toBe(before);
    expect(email.mailbox.mails(to)).toEqual([]);
  });

  it('pauses a campaign, which continues when the key can be decrypted again', async () => {
    const to = email.recipient();
    await email.rows(`INSERT INTO contacts.contacts (id, organization_id, email, source) VALUES ($1, $2, $3, 'api')`, [
      newId(),
      tenant.organizationId,
      to,
    ]);
    const request = { name: 'News', ...CONTENT, audience: { filter: {} } };
    const created = await post('/api/v1/email/campaigns', { ...request, draft: true });
    const path = `/api/v1/email/campaigns/${String(created.body['id'])}`;
    await makeUnreadable();
    expect((await post('/api/v1/email/campaigns', request)).body['code']).toBe('SENDER_NOT_VERIFIED');
    expect((await post(`${path}/start`, {})).status).toBe(200);
    const paused = await until('the campaign is paused', async () => {
      const { body } = await call(email, path, { key: tenant.key });
      return body['status'] === 'paused' && body;
    });
    expect(paused['error']).toMatchObject({ code: 'SENDER_NOT_VERIFIED' });
    await store(key.sealed);
    await until('sends are accepted', async () => {
      const { body } = await post('/api/v1/email/quote', { to, ...CONTENT });
      return body['verdict'] === 'ok';
    });
    await post(`${path}/resume`, {});
    await until('the mail arrives', () => email.mailbox.mails(to).length === 1);
  });

  it('delays accepted mail, which is not reported as sent and leaves when the key can be decrypted', async () => {
    const to = email.recipient();
    const accepted = await post('/api/v1/email/send', { to, ...CONTENT, scheduled_at: SCHEDULED });
    const id = String(accepted.body['id']);
    await makeUnreadable();
    await soon(id);
    const details = () => call(email, `/api/v1/email/messages/${id}`, { key: tenant.key }).then(({ body }) => body);
    const held = await until('the mail is held', async () => {
      const body = await details();
      const [recipient] = body['recipients'] as { status: string; error: string | null; message_id: string | null }[];
      return recipient?.error && { status: body['status'], recipient };
    });
    expect(held).toMatchObject({
      status: 'scheduled',
      recipient: { status: 'deferred', message_id: null, error: expect.stringContaining('cannot be signed') as string },
    });
    expect((await reportOf(email, tenant.key, id)).status).toBe('scheduled');
    await store(key.sealed);
    await until('the mail arrives', async () => {
      await soon(id);
      return email.mailbox.mails(to).length === 1;
    });
    expect(String((await email.mailbox.messagesTo(to))[0]?.headers['dkim-signature'])).toContain(tenant.domain);
    await until('the mail is sent', async () => (await details())['status'] === 'sent');
    const queued = await email.rows(
      `SELECT FROM messaging.outbox WHERE type = 'email.queued' AND payload->'data'->>'messageId' = $1`,
      [id],
    );
    expect(queued.length).toBeLessThanOrEqual(1);
  });

  it('refunds accepted mail as failed if the key cannot be decrypted for hours', async () => {
    const before = await balance();
    const to = email.recipient();
    const id = String((await post('/api/v1/email/send', { to, ...CONTENT, scheduled_at: SCHEDULED })).body['id']);
    await makeUnreadable();
    await soon(id);
    const isHeld = async () => {
      const rows = await email.rows(`SELECT FROM email.recipients WHERE message_id = $1 AND state = 'deferred'`, [id]);
      return rows.length === 1;
    };
    await until('the mail is held', isHeld);
    await email.rows(`UPDATE email.recipients SET first_tried_at = now() - interval '5 hours' WHERE message_id = $1`, [
      id,
    ]);
    await until('the mail has failed', async () => {
      await soon(id);
      return (await reportOf(email, tenant.key, id)).status === 'failed';
    });
    expect(await balance()).toBe(before);
    expect(email.mailbox.mails(to)).toEqual([]);
  });

  it('allows to cancel accepted mail', async () => {
    const before = await balance();
    const id = String(
      (await post('/api/v1/email/send', { to: email.recipient(), ...CONTENT, scheduled_at: SCHEDULED })).body['id'],
    );
    await makeUnreadable();
    await soon(id);
    await until('the mail is held', async () => {
      const rows = await email.rows(`SELECT FROM email.recipients WHERE message_id = $1 AND state = 'deferred'`, [id]);
      return rows.length === 1;
    });
    expect(await call(email, `/email/cancel?id=${id}`, { method: 'POST', key: tenant.key })).toMatchObject({
      status: 200,
      body: { status: 'canceled' },
    });
    expect(await balance()).toBe(before);
  });

  it('degrades the readiness and is counted in a metric until the key can be decrypted', async () => {
    const task = email.service.app.get(DomainKeysTask);
    const readiness = async () => {
      await task.check();
      const { status, body } = await call(email, '/health/ready');
      return [status, body['status'], (body['checks'] as Record<string, string>)['dkim keys']];
    };
    const metric = async () =>
      /^email_unreadable_dkim_keys\b.* (\d+)$/m.exec((await call(email, '/metrics')).text)?.[1];
    await email.rows(
      `DELETE FROM email.senders WHERE domain_id IN (SELECT id FROM email.domains WHERE starts_with(dkim_private_key, 'k9.'))`,
    );
    await email.rows(`DELETE FROM email.domains WHERE starts_with(dkim_private_key, 'k9.')`);
    expect(await readiness()).toEqual([200, 'ok', 'ok']);
    expect(await metric()).toBe('0');
    await makeUnreadable();
    const problem = 'down: EMAIL_SECRETS_KEYS cannot decrypt the DKIM keys of 1 domain(s)';
    expect(await readiness()).toEqual([200, 'degraded', problem]);
    expect(await metric()).toBe('1');
    await store(key.sealed);
    expect(await readiness()).toEqual([200, 'ok', 'ok']);
  });
});
