import { poolOf } from '@heliograph/database';
import type { EventEnvelope } from '@heliograph/contracts';
import { addToOutbox } from '@heliograph/messaging';
import { requestMail } from '@heliograph/system-mail';
import { until } from '@heliograph/testing';
import { sendOk, send, type SendAnswer } from './calls';
import { EmailFixture, type EmailTenant } from './email-fixture';

describe('crash recovery', () => {
  let email: EmailFixture;
  let tenant: EmailTenant;
  beforeAll(async () => {
    email = await EmailFixture.start();
    tenant = await email.tenant();
  });
  afterEach(() => email.mailbox.behaviours.reset());
  afterAll(() => email.stop());

  const fields = (to: string | string[]): object => ({ to, subject: 'Hi', text: 'Hi' });
  /** Creates the rows that remain after a process crashes during a send: recipients in progress, a lease and a job. */
  const orphan = async ({ id }: SendAnswer, recipients: { copies: number }[]): Promise<void> => {
    await email.rows(`UPDATE email.messages SET status = 'sending', lease_until = now() WHERE id = $1`, [id]);
    for (const [position, { copies }] of recipients.entries()) {
      await email.rows(
        `UPDATE email.recipients SET state = 'sending', copies = $3, attempts = 0 WHERE message_id = $1 AND position = $2`,
        [id, position, copies],
      );
    }
    await email.rows(
      `INSERT INTO messaging.outbox (id, type, payload) VALUES ($1::uuid, 'email.due', json_build_object('id', $1::uuid,
         'type', 'email.due', 'version', 1, 'time', now(), 'organizationId', $2::text, 'workspaceId', $3::text,
         'correlationId', null, 'data', json_build_object('messageId', $1::uuid)))`,
      [id, tenant.organizationId, tenant.workspaceId],
    );
  };
  const stateOf = (id: string): Promise<{ state: string; copies: number }[]> =>
    email.rows('SELECT state, copies FROM email.recipients WHERE message_id = $1 ORDER BY position', [id]);

  it('continues the send of a crashed process with one more copy after one uncertain copy, and none after two', async () => {
    const before = await email.balance(tenant.workspaceId);
    const to = [email.recipient(), email.recipient(), email.recipient()];
    const answer = await sendOk(email, tenant.key, fields(to));
    await orphan(answer, [{ copies: 0 }, { copies: 1 }, { copies: 2 }]);
    await until('all results are recorded', async () =>
      (await stateOf(answer.id)).every(({ state }) => state === 'sent'),
    );
    expect(to.map((address) => email.mailbox.mails(address).length)).toEqual([2, 2, 1]);
    expect(await email.balance(tenant.workspaceId)).toBe(before - 3);
  });

  it('does not take over a send from a process that extends its lease', async () => {
    const beside = await email.beside();
    const to = email.recipient();
    // Longer than the lease, which is extended in the meantime.
    email.mailbox.behave({ delayMs: 1_900 }, to);
    await sendOk(email, tenant.key, fields(to));
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(email.mailbox.mails(to)).toHaveLength(1);
    await beside.service.stop();
  });

  it('returns waiting mails and completes mails in progress on shutdown', async () => {
    const to = Array.from({ length: 30 }, () => email.recipient());
    email.mailbox.behave({ delayMs: 100 });
    const sending = send(email, tenant.key, fields(to)).catch(() => null);
    await until('the send has started', () => to.some((address) => email.mailbox.mails(address).length > 0));
    await email.restart();
    await sending;
    email.mailbox.behaviours.reset();
    await until('every recipient has received the mail', () =>
      to.every((address) => email.mailbox.mails(address).length > 0),
    );
    expect(to.map((address) => email.mailbox.mails(address).length)).toEqual(to.map(() => 1));
  });

  it('row 3: sends system mail once, with its attachment, from the system sender, and keeps no content', async () => {
    const to = email.recipient();
    const before = await email.balance(tenant.workspaceId);
    const event = await email.tenants.dataSource.transaction(async (transaction) => {
      await requestMail(transaction, {
        purpose: 'receipt',
        to: [to],
        mail: {
          subject: 'Your receipt',
          text: 'Thank you.',
          html: '<p>Thank you. <a href="https://acme.example/">Home</a></p>',
        },
        attachments: [
          {
            filename: 'receipt.pdf',
            contentType: 'application/pdf',
            contentBase64: Buffer.from('%PDF-1.7').toString('base64'),
          },
        ],
        organizationId: tenant.organizationId,
        workspaceId: tenant.workspaceId,
        correlationId: 'request-1',
      });
      const [requested] = await transaction.query<{ payload: EventEnvelope }[]>(
        `SELECT payload FROM messaging.outbox WHERE type = 'mail.requested'`,
      );
      return requested!.payload;
    });
    const client = await poolOf(email.tenants.dataSource).connect();
    for (let times = 0; times < 3; times++) {
      if (times > 0) await addToOutbox(client, [event]);
      await until(
        'the event is published',
        async () => (await email.rows('SELECT FROM messaging.outbox WHERE id = $1', [event.id])).length === 0,
      );
    }
    client.release();
    await until('the mail arrives', () => email.mailbox.mails(to).length > 0);
    await until(
      'no send is in progress',
      async () =>
        (await email.rows(`SELECT FROM email.messages WHERE organization_id IS NULL AND status <> 'sent'`)).length ===
        0,
    );
    const mails = await email.mailbox.messagesTo(to);
    expect(mails).toHaveLength(1);
    expect(mails[0]).toMatchObject({
      subject: 'Your receipt',
      attachments: [{ filename: 'receipt.pdf', contentType: 'application/pdf', size: 8 }],
    });
    expect(mails[0]?.headers['from']).toContain('no-reply@heliograph.example');
    expect(mails[0]?.headers['list-unsubscribe']).toBeUndefined();
    expect(mails[0]?.html).toContain('href="https://acme.example/"');
    expect(await email.balance(tenant.workspaceId)).toBe(before);
    // The content can hold tokens, so nothing of it remains after the email was sent.
    expect(JSON.stringify(event)).not.toContain('Thank you');
    expect(await email.rows('SELECT FROM system_mail.contents')).toEqual([]);
    expect(
      await email.rows('SELECT html, text, attachments FROM email.messages WHERE organization_id IS NULL'),
    ).toEqual([{ html: null, text: null, attachments: [{ filename: 'receipt.pdf', contentType: 'application/pdf' }] }]);
  });
});
