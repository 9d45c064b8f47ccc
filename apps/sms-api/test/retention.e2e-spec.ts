import { firstIdOf } from '@heliograph/database';
import { RetentionService } from '../src/messages/retention.service';
import { call, postJson } from './calls';
import { SmsFixture } from './sms-fixture';

const WEEK_MS = 7 * 86_400_000;

describe('SMS_BODY_RETENTION_DAYS', () => {
  it('deletes the text of old finished messages, but not the messages themselves', async () => {
    const sms = await SmsFixture.start({ environment: { SMS_BODY_RETENTION_DAYS: '7' } });
    try {
      const tenant = await sms.tenant();
      const week = Math.floor(Date.now() / WEEK_MS) - 3;
      const bounds = [week, week + 1].map((each) => firstIdOf(new Date(each * WEEK_MS)));
      await sms.database.query(
        `CREATE TABLE sms.messages_w${week} PARTITION OF sms.messages FOR VALUES FROM ('${bounds[0]}') TO ('${bounds[1]}')`,
      );
      /** Creates a message with the given state that is about three weeks old. */
      const old = async (n: number, status: string): Promise<string> => {
        const fields = {
          from: tenant.sender.header,
          to: sms.recipient(),
          message: 'x',
          scheduledAt: '2099-01-01T00:00:00Z',
        };
        const { body } = await postJson(sms, tenant.key, fields);
        const id = firstIdOf(new Date(week * WEEK_MS + n));
        await sms.database.query(
          `UPDATE sms.messages SET id = $2, status = $3, created_at = now() - interval '20 days' WHERE id = $1`,
          [body['messageId'], id, status],
        );
        return id;
      };
      const finished = await old(1, 'failed');
      const scheduled = await old(2, 'scheduled');
      await sms.service.app.get(RetentionService).deleteBodies(new AbortController().signal);
      const textOf = async (id: string) =>
        (await call(sms, `/sms/status?id=${id}`, { key: tenant.key })).body['renderedBody'];
      expect([await textOf(finished), await textOf(scheduled)]).toEqual(['', expect.stringContaining('x')]);
    } finally {
      await sms.stop();
    }
  });
});
