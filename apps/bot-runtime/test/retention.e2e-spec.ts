import { firstIdOf, newId } from '@heliograph/database';
import { RetentionService } from '../src/conversations/retention.service';
import { BotFixture } from './bot-fixture';

const DAY_MS = 86_400_000;

describe('retention', () => {
  it('deletes submissions, and contacts without references, after their retention periods', async () => {
    const bots = await BotFixture.start({
      environment: { BOT_SUBMISSION_RETENTION_DAYS: '30', BOT_CONTACT_RETENTION_DAYS: '60' },
    });
    try {
      const now = Date.now();
      const place = [newId(), newId()];
      const id = (daysAgo: number, n: number) => `${firstIdOf(new Date(now - daysAgo * DAY_MS)).slice(0, 35)}${n}`;
      const contact = (daysAgo: number, n: number, changedDaysAgo = daysAgo) =>
        bots.rows(
          `INSERT INTO bots.contacts (id, organization_id, workspace_id, name, updated_at)
           VALUES ($1, $2, $3, $4, now() - $5 * interval '1 day')`,
          [id(daysAgo, n), ...place, `contact ${n}`, changedDaysAgo],
        );
      const submission = (daysAgo: number, n: number, contactId: string | null) =>
        bots.rows(
          `INSERT INTO bots.submissions (id, organization_id, workspace_id, bot_id, conversation_id, contact_id, form_id, form_title, answers)
           VALUES ($1, $2, $3, $4, $4, $5, 'lead', $6, '[]')`,
          [id(daysAgo, n), ...place, newId(), contactId, `submission ${n}`],
        );
      await contact(61, 1);
      await contact(61, 2, 59);
      await contact(59, 3);
      await contact(61, 4);
      await submission(31, 5, id(61, 1));
      await submission(29, 6, id(61, 4));
      const retention = bots.service.app.get(RetentionService);
      await retention.deleteOldLeads(new AbortController().signal);
      const named = async (sql: string) => (await bots.rows<{ name: string }>(sql)).map(({ name }) => name);
      expect(await named('SELECT form_title AS name FROM bots.submissions')).toEqual(['submission 6']);
      expect(await named('SELECT name FROM bots.contacts ORDER BY name')).toEqual([
        'contact 2',
        'contact 3',
        'contact 4',
      ]);
    } finally {
      await bots.stop();
    }
  });
});
