import { firstIdOf, newId } from '@heliograph/database';
import { RetentionService } from '../src/messages/retention.service';
import { reportOf, sendOk } from './calls';
import { EmailFixture } from './email-fixture';

const WEEK_MS = 7 * 86_400_000;

describe('EMAIL_BODY_RETENTION_DAYS', () => {
  it('deletes the content of old sends, and keeps the delivery report', async () => {
    const email = await EmailFixture.start({ environment: { EMAIL_BODY_RETENTION_DAYS: '7' } });
    try {
      const { key } = await email.tenant();
      const week = Math.floor(Date.now() / WEEK_MS) - 3;
      const bounds = [week, week + 1].map((each) => firstIdOf(new Date(each * WEEK_MS)));
      for (const table of ['messages', 'recipients', 'events']) {
        await email.rows(
          `CREATE TABLE email.${table}_w${week} PARTITION OF email.${table} FOR VALUES FROM ('${bounds[0]}') TO ('${bounds[1]}')`,
        );
      }
      const send = () => sendOk(email, key, { to: email.recipient(), subject: 'Hi', html: '<p>Hi</p>' });
      const old = await send();
      const recent = await send();
      const id = firstIdOf(new Date(week * WEEK_MS + 1));
      await email.rows(
        `UPDATE email.messages SET id = $2, status = 'sent', created_at = now() - interval '20 days' WHERE id = $1`,
        [old.id, id],
      );
      await email.rows('UPDATE email.recipients SET message_id = $2 WHERE message_id = $1', [old.id, id]);
      await email.service.app.get(RetentionService).deleteBodies(new AbortController().signal);
      const contentOf = async (message: string) =>
        (await email.rows('SELECT subject, html, text FROM email.messages WHERE id = $1', [message]))[0];
      expect(await contentOf(id)).toEqual({ subject: '', html: null, text: null });
      expect(await contentOf(recent.id)).toMatchObject({ subject: 'Hi', html: '<p>Hi</p>' });
      expect((await reportOf(email, key, id)).to).toBe(old.results[0]?.to);
    } finally {
      await email.stop();
    }
  });
});

describe('failing domains', () => {
  it('are deleted after 30 days without a failure', async () => {
    const email = await EmailFixture.shared();
    const organizationId = newId();
    await email.rows(
      `INSERT INTO email.failing_domains (organization_id, domain, failures, failed_at)
       VALUES ($1, 'old.example', 2, now() - interval '31 days'), ($1, 'recent.example', 2, now() - interval '29 days')`,
      [organizationId],
    );
    await email.service.app.get(RetentionService).forgetFailingDomains();
    expect(
      await email.rows('SELECT domain FROM email.failing_domains WHERE organization_id = $1', [organizationId]),
    ).toEqual([{ domain: 'recent.example' }]);
  });
});
