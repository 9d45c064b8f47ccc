import { requestMail } from '@heliograph/system-mail';
import { until } from '@heliograph/testing';
import { sendOk } from './calls';
import { EmailFixture } from './email-fixture';

describe('emails whose events the broker lost', () => {
  /** It accepts emails and publishes nothing. */
  let email: EmailFixture;
  beforeAll(async () => {
    email = await EmailFixture.start({ environment: { ROLE: 'api' } });
  });
  afterAll(() => email.stop());

  it('are published again: scheduled, deferred and system emails, each delivered once', async () => {
    const tenant = await email.tenant();
    const content = { subject: 'Hi', text: 'Hi' };
    const scheduled = email.recipient();
    await sendOk(email, tenant.key, {
      to: scheduled,
      scheduledAt: new Date(Date.now() + 1_500).toISOString(),
      ...content,
    });
    const deferred = email.recipient();
    email.mailbox.behave({ reply: { code: 451, text: 'later' } }, deferred);
    await sendOk(email, tenant.key, { to: deferred, ...content });
    email.mailbox.behaviours.reset();
    const system = email.recipient();
    const mail = { subject: 'Welcome', text: 'Welcome', html: '<p>Welcome</p>' };
    await email.tenants.dataSource.transaction((transaction) =>
      requestMail(transaction, {
        purpose: 'registration',
        to: [system],
        mail,
        organizationId: null,
        workspaceId: null,
        correlationId: null,
      }),
    );
    await until('the scheduled email is due', async () => {
      const due = await email.rows('SELECT FROM email.messages WHERE scheduled_at < now()');
      return due.length === 1;
    });
    await email.rows('DELETE FROM messaging.outbox');
    await email.rows(`UPDATE email.messages SET scheduled_at = scheduled_at - interval '10 minutes'`);
    await email.rows(
      `UPDATE email.recipients SET next_try_at = now() - interval '10 minutes' WHERE state = 'deferred'`,
    );
    await email.rows(`UPDATE system_mail.contents SET created_at = created_at - interval '10 minutes'`);
    const worker = await email.beside({ ROLE: 'worker' });
    for (const to of [scheduled, deferred, system])
      await until(`the email to ${to} arrives`, () => email.mailbox.mails(to).length > 0);
    await until('no job is unfinished', async () => {
      const ages = await email.rows<{ at: Date | null }>('SELECT oldest_at AS at FROM messaging.sweeps');
      return ages.length === 2 && ages.every(({ at }) => at === null);
    });
    for (const to of [scheduled, deferred, system]) expect(email.mailbox.mails(to)).toHaveLength(1);
    await worker.service.stop();
  });
});
