import { firstIdOf } from '@heliograph/database';
import { RetentionService } from '../src/messages/retention.service';
import { ChatappFixture } from './chatapp-fixture';

const DAY_MS = 86_400_000;

describe('retention', () => {
  it('deletes the content of inbound messages after CHATAPP_BODY_RETENTION_DAYS, and messages and records of files after CHATAPP_RETENTION_DAYS', async () => {
    const chatapp = await ChatappFixture.start({
      environment: { CHATAPP_BODY_RETENTION_DAYS: '7', CHATAPP_RETENTION_DAYS: '31' },
    });
    try {
      const tenant = await chatapp.tenant();
      const to = await chatapp.openNumber();
      await chatapp.send(tenant, { to, text: 'Hi' });
      const expired = await chatapp.inbound(to);
      const old = await chatapp.inbound(to);
      const recent = await chatapp.inbound(to);
      for (const [upstreamId, days] of [
        [expired, 32],
        [old, 8],
      ] as const) {
        await chatapp.rows('UPDATE chatapp.messages SET id = $2 WHERE upstream_id = $1', [
          upstreamId,
          firstIdOf(new Date(Date.now() - days * DAY_MS)),
        ]);
      }
      for (const [id, days] of [
        ['old', 32],
        ['recent', 30],
      ] as const) {
        await chatapp.rows(
          `INSERT INTO chatapp.media (id, account_id, organization_id, size, mime_type, file_name, sha256, created_at)
           SELECT $1, id, $2, 1, 'text/plain', 'a.txt', '', now() - $3 * interval '1 day' FROM chatapp.accounts LIMIT 1`,
          [id, tenant.organizationId, days],
        );
      }
      const { app } = chatapp.service;
      const { signal } = new AbortController();
      await app.get(RetentionService).deleteBodies(signal);
      await app.get(RetentionService).deleteOldRows(signal);
      const payloadOf = async (upstreamId: string) =>
        (
          await chatapp.rows<{ payload: object | null }>(
            'SELECT payload FROM chatapp.messages WHERE upstream_id = $1',
            [upstreamId],
          )
        )[0];
      expect(await payloadOf(expired)).toBeUndefined();
      expect(await payloadOf(old)).toEqual({ payload: null });
      expect((await payloadOf(recent))?.payload).toMatchObject({ type: 'text' });
      expect(await chatapp.rows('SELECT id FROM chatapp.media')).toEqual([{ id: 'recent' }]);
    } finally {
      await chatapp.stop();
    }
  });
});
