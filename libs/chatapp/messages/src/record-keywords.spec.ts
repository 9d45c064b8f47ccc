import { ALL_EVENTS } from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import fc from 'fast-check';
import { MessagesFixture, newNumber, type Tenant } from './messages.fixture';
import type { InboundRow } from './rows';
import { recordInbound, recordStatuses } from './write-messages';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 10, 0, seconds)).toISOString();

describe('inbound messages', () => {
  let chat: MessagesFixture;
  let one: Tenant;
  let other: Tenant;
  beforeAll(async () => {
    chat = await MessagesFixture.start();
    [one, other] = [await chat.tenant(100_000), await chat.tenant(100_000)];
  });
  afterAll(() => chat.stop());

  const record = (...rows: InboundRow[]) => recordInbound(chat.pool, rows);

  describe('with a keyword', () => {
    const consentEvents = async (organizationId: string, number: string) =>
      (
        await chat.query<{ payload: { data: object } }>(
          `SELECT payload FROM messaging.outbox
           WHERE type = 'chatapp.consent.changed' AND payload->>'organizationId' = $1
             AND payload->'data'->>'number' = $2 AND payload->'data'->>'source' LIKE 'keyword%'`,
          [organizationId, number],
        )
      ).map(({ payload }) => payload);

    it('change and publish the consent only for the organization that last messaged the number', async () => {
      const sender = await chat.written(one, other);
      await record(chat.saysStop(sender, { occurred_at: at(3) }));
      expect(await chat.consent(other.organizationId, sender)).toEqual(['opted_out', 'keyword_stop']);
      expect(await chat.consent(one.organizationId, sender)).toEqual(['opted_in', 'send']);
      const [event, ...more] = await consentEvents(other.organizationId, sender);
      expect(more).toEqual([]);
      expect(event!.data).toMatchObject({
        status: 'opted_out',
        source: 'keyword_stop',
        text: 'hello',
        occurredAt: at(3),
      });
      const contract = ALL_EVENTS.find(({ type }) => type === 'chatapp.consent.changed')!;
      expect(contract.schema.safeParse(event!.data).error).toBeUndefined();
      await record(chat.saysStart(sender, { occurred_at: at(4) }));
      expect(await chat.consent(other.organizationId, sender)).toEqual(['opted_in', 'keyword_start']);
    });

    it('keep the recorded note', async () => {
      const sender = await chat.written(one);
      await chat.query('UPDATE chatapp.consents SET note = $1 WHERE number = $2', ['asked by mail', sender]);
      await record(chat.saysStop(sender));
      const rows = await chat.query('SELECT note FROM chatapp.consents WHERE number = $1', [sender]);
      expect(rows).toEqual([{ note: 'asked by mail' }]);
    });

    it('have no effect before any organization messages the number, and none afterwards', async () => {
      const sender = newNumber();
      const row = chat.saysStop(sender);
      await record(row);
      await chat.sent(one, { recipient: sender });
      await record({ ...row, id: newId() });
      expect(await chat.message(row.id)).toMatchObject(one);
      expect(await chat.consent(one.organizationId, sender)).toEqual(['opted_in', 'send']);
    });

    it('have no effect when they are repeated', async () => {
      const sender = await chat.written(one);
      const stop = chat.saysStop(sender, { occurred_at: at(1) });
      await record(stop);
      await record(chat.saysStart(sender, { occurred_at: at(1) }));
      await record({ ...stop, id: newId() });
      expect(await chat.consent(one.organizationId, sender)).toEqual(['opted_in', 'keyword_start']);
      expect(await consentEvents(one.organizationId, sender)).toHaveLength(2);
    });

    it('have no effect when a newer keyword has been applied', async () => {
      const sender = await chat.written(one);
      await record(chat.saysStart(sender, { occurred_at: at(9) }));
      await record(chat.saysStop(sender, { occurred_at: at(8) }));
      expect(await chat.consent(one.organizationId, sender)).toEqual(['opted_in', 'keyword_start']);
    });

    it('in the same second are applied in the order of the call', async () => {
      const stops = await chat.written(one);
      const starts = await chat.written(one);
      await record(chat.saysStart(stops), chat.saysStop(stops), chat.saysStop(starts), chat.saysStart(starts));
      expect(await chat.consent(one.organizationId, stops)).toEqual(['opted_out', 'keyword_stop']);
      expect(await chat.consent(one.organizationId, starts)).toEqual(['opted_in', 'keyword_start']);
    });

    it('result in the newest keyword, for any order and any distribution over calls', async () => {
      const keyword = fc.record({ stops: fc.boolean(), second: fc.nat(59) });
      const calls = fc.array(
        fc.uniqueArray(keyword, { selector: ({ second }) => second, minLength: 1, maxLength: 5 }),
        {
          minLength: 1,
          maxLength: 4,
        },
      );
      await fc.assert(
        fc.asyncProperty(calls, async (batches) => {
          const keywords = batches.flat();
          fc.pre(new Set(keywords.map(({ second }) => second)).size === keywords.length);
          const sender = await chat.written(one);
          for (const batch of batches) {
            const rows = batch.map(({ stops, second }) =>
              stops
                ? chat.saysStop(sender, { occurred_at: at(second) })
                : chat.saysStart(sender, { occurred_at: at(second) }),
            );
            await record(...rows);
          }
          const newest = keywords.reduce((a, b) => (b.second > a.second ? b : a));
          expect((await chat.consent(one.organizationId, sender))?.[0]).toBe(newest.stops ? 'opted_out' : 'opted_in');
        }),
        { numRuns: 40 },
      );
    });

    it('from an alias apply to the dialed number', async () => {
      const upstream = newNumber();
      const { recipient } = await chat.sent(one, {}, { upstream_number: upstream });
      await record(chat.saysStop(upstream));
      await expect(chat.accepted(one, { recipient })).rejects.toThrow('opted_out');
      await record(chat.saysStart(upstream, { occurred_at: at(1) }));
      await chat.accepted(one, { recipient });
    });

    it('apply to the next send, even if it started before', async () => {
      const sender = await chat.written(one);
      const sent = await chat.accepted(one, { recipient: sender });
      await record(chat.saysStop(sender));
      await expect(chat.accepted(one, { recipient: sender })).rejects.toThrow('opted_out');
      await recordStatuses(chat.pool, [chat.status(sent, 'sent')]);
      expect(await chat.consent(one.organizationId, sender)).toEqual(['opted_out', 'keyword_stop']);
    });
  });
});
