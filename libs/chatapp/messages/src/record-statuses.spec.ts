import { ALL_EVENTS } from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import fc from 'fast-check';
import { MessagesFixture, newNumber, type Sent, type Tenant } from './messages.fixture';
import type { StatusRow } from './rows';
import { matchUnmatchedStatuses, recordAnswers, recordInbound, recordStatuses } from './write-messages';

const STATUSES = ['sent', 'delivered', 'read', 'failed'] as const;
type Status = (typeof STATUSES)[number];

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20, 10, 0, seconds));

/** The expected state of a message: each timestamp once, and the most advanced status. */
class Oracle {
  private readonly moments = new Map<Status, Date>();
  error: string | null = null;

  take(batch: readonly { status: Status; second: number; error: string | null }[]): void {
    for (const status of STATUSES) {
      const [first] = batch.filter((item) => item.status === status).toSorted((a, b) => a.second - b.second);
      if (!first) continue;
      if (!this.moments.has(status)) this.moments.set(status, at(first.second));
      if (status === 'failed') this.error ??= first.error;
    }
  }

  get state() {
    const furthest = (['read', 'delivered', 'failed', 'sent'] as const).find((status) => this.moments.has(status));
    return {
      status: furthest ?? 'accepted',
      sentAt: this.moments.get('sent') ?? null,
      deliveredAt: this.moments.get('delivered') ?? null,
      readAt: this.moments.get('read') ?? null,
      failedAt: this.moments.get('failed') ?? null,
      error: this.error,
    };
  }
}

function permutations<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item, n) => permutations(items.toSpliced(n, 1)).map((rest) => [item, ...rest]));
}

describe('statuses of a message', () => {
  let chat: MessagesFixture;
  let tenant: Tenant;
  beforeAll(async () => {
    chat = await MessagesFixture.start();
    tenant = await chat.tenant(1_000_000);
  });
  afterAll(() => chat.stop());

  const record = (...rows: StatusRow[]) => recordStatuses(chat.pool, rows);
  const typesOf = async (sent: Sent) => (await chat.events(sent.id)).map(({ type }) => type).sort();

  describe('only move it forward', () => {
    it.each(permutations(STATUSES).map((order) => [order.join(', '), order] as const))(
      'in the order %s, in separate calls',
      async (_name, order) => {
        const sent = await chat.sent(tenant);
        const oracle = new Oracle();
        for (const [second, status] of order.entries()) {
          await record(chat.status(sent, status, { occurred_at: at(second).toISOString(), error: status }));
          oracle.take([{ status, second, error: status }]);
          expect(await chat.message(sent.id)).toMatchObject(oracle.state);
        }
      },
    );

    it('in any order, any number of times, in one or several calls', async () => {
      const update = fc.record({
        status: fc.constantFrom(...STATUSES),
        second: fc.nat(50),
        error: fc.constantFrom(null, 'one', 'another'),
        which: fc.nat(2),
      });
      const calls = fc.array(fc.array(update, { minLength: 1, maxLength: 6 }), { maxLength: 5 });
      await fc.assert(
        fc.asyncProperty(calls, async (batches) => {
          const sends = await Promise.all([0, 1, 2].map(() => chat.sent(tenant)));
          const oracles = sends.map(() => new Oracle());
          for (const batch of batches) {
            const rows = batch.map(({ status, second, error, which }) =>
              chat.status(sends[which]!, status, { occurred_at: at(second).toISOString(), error, callback_id: null }),
            );
            await record(...rows);
            for (const [which, oracle] of oracles.entries()) oracle.take(batch.filter((item) => item.which === which));
          }
          for (const [which, oracle] of oracles.entries())
            expect(await chat.message(sends[which]!.id)).toMatchObject(oracle.state);
        }),
        { numRuns: 60 },
      );
    });
  });

  it('are published once each, in the format of their contracts', async () => {
    const sent = await chat.sent(tenant);
    for (let times = 0; times < 2; times++) {
      await record(...STATUSES.map((status, n) => chat.status(sent, status, { occurred_at: at(n).toISOString() })));
    }
    const events = await chat.events(sent.id);
    expect(events.map(({ type }) => type).sort()).toEqual([
      'chatapp.delivered',
      'chatapp.failed',
      'chatapp.read',
      'chatapp.sent',
    ]);
    for (const event of events) {
      const contract = ALL_EVENTS.find(({ type }) => type === event.type)!;
      expect(contract.schema.safeParse(event.data).error).toBeUndefined();
      expect(event).toMatchObject({ ...tenant, correlationId: 'call-1', time: event.data['occurredAt'] });
    }
    expect(events.find(({ type }) => type === 'chatapp.delivered')!.data).toEqual({
      messageId: sent.id,
      chatappMessageId: sent.upstreamId,
      to: sent.recipient,
      occurredAt: at(1).toISOString(),
    });
  });

  it('of a failure store the first title and code, and refund nothing', async () => {
    const sent = await chat.sent(tenant);
    const before = await chat.balance(tenant);
    await record(chat.status(sent, 'failed', { error: 'Not a registered number', error_code: 131_026 }));
    await record(chat.status(sent, 'failed', { error: 'Something else', error_code: 1 }));
    expect(await chat.message(sent.id)).toMatchObject({
      status: 'failed',
      error: 'Not a registered number',
      errorCode: 131_026,
    });
    expect(await chat.balance(tenant)).toBe(before);
  });

  it('never change an inbound message with the same id', async () => {
    const sent = await chat.sent(tenant);
    const row = chat.inbound(sent.recipient, { upstream_id: sent.upstreamId });
    await recordInbound(chat.pool, [row]);
    await record(chat.status(sent, 'read', { callback_id: null }));
    expect(await chat.message(row.id)).toMatchObject({ status: 'received', readAt: null });
    expect(await chat.message(sent.id)).toMatchObject({ status: 'read' });
  });

  it('that arrive concurrently have the same result, without a deadlock', async () => {
    const sends = await Promise.all(Array.from({ length: 20 }, () => chat.sent(tenant)));
    await Promise.all(
      Array.from({ length: 12 }, (_, n) => {
        const rows = sends.flatMap((sent) => STATUSES.slice(0, 3).map((status) => chat.status(sent, status)));
        return record(...(n % 2 === 0 ? rows : rows.toReversed()));
      }),
    );
    for (const sent of sends) {
      expect((await chat.message(sent.id)).status).toBe('read');
      expect(await typesOf(sent)).toEqual(['chatapp.delivered', 'chatapp.read', 'chatapp.sent']);
    }
  });

  it('that arrive concurrently with responses, matching and inbound messages have the same result, without a deadlock', async () => {
    const numbers = Array.from({ length: 8 }, newNumber);
    const sends: Sent[] = [];
    const round = async (lane: number, turn: number): Promise<void> => {
      const recipients = [0, 1, 2, 3, 4, 5].map((n) => numbers[(lane * 3 + turn + n * 5) % numbers.length]!);
      const mine = await Promise.all(recipients.map((recipient) => chat.accepted(tenant, { recipient })));
      sends.push(...mine);
      const rows = mine.flatMap((sent, n) =>
        (['read', 'sent', 'delivered'] as const).map((status, m) =>
          chat.status(sent, status, (n + m) % 3 === 0 ? {} : { callback_id: null }),
        ),
      );
      const answers = mine.map(({ id, upstreamId }) => chat.answer(id, { upstream_id: upstreamId }));
      await Promise.all([
        record(...rows),
        record(...rows.toReversed()),
        recordAnswers(chat.pool, answers),
        recordInbound(
          chat.pool,
          recipients.toReversed().map((number) => chat.saysStart(number)),
        ),
        matchUnmatchedStatuses(chat.pool, 50),
      ]);
    };
    const turns = Array.from({ length: 25 }, (_, turn) => turn);
    await Promise.all(
      [0, 1, 2, 3, 4, 5].map(async (lane) => {
        for (const turn of turns) await round(lane, turn);
      }),
    );
    await matchUnmatchedStatuses(chat.pool, 10_000);
    const rows = await chat.query<{ status: string; count: number }>(
      'SELECT status, count(*)::int FROM chatapp.messages WHERE id = ANY ($1) GROUP BY status',
      [sends.map(({ id }) => id)],
    );
    expect(rows).toEqual([{ status: 'read', count: sends.length }]);
  });

  describe('before the response to the send', () => {
    it('find the message by the id of the service, and set its provider id', async () => {
      const sent = await chat.accepted(tenant);
      await record(chat.status(sent, 'delivered'));
      expect(await chat.message(sent.id)).toMatchObject({ status: 'delivered', upstreamId: sent.upstreamId });
      expect(await chat.unmatchedStatuses(sent.upstreamId)).toEqual([]);
      const [answered] = await recordAnswers(chat.pool, [chat.answer(sent.id, { upstream_id: sent.upstreamId })]);
      expect(answered).toMatchObject({ upstream_id: sent.upstreamId });
      expect((await chat.message(sent.id)).status).toBe('delivered');
    });

    it('assign the conversation of the number to the sender', async () => {
      const sent = await chat.accepted(tenant);
      await record(chat.status(sent, 'sent'));
      expect(await chat.consent(tenant.organizationId, sent.recipient)).toEqual(['opted_in', 'send']);
    });

    it('without the id of the service wait for the response', async () => {
      const sent = await chat.accepted(tenant);
      await record(
        chat.status(sent, 'delivered', { callback_id: null }),
        chat.status(sent, 'sent', { callback_id: null }),
      );
      await record(chat.status(sent, 'sent', { callback_id: null }));
      expect(await chat.unmatchedStatuses(sent.upstreamId)).toEqual(['delivered', 'sent']);
      await recordAnswers(chat.pool, [chat.answer(sent.id, { upstream_id: sent.upstreamId })]);
      expect(await chat.message(sent.id)).toMatchObject({ status: 'delivered' });
      expect(await chat.unmatchedStatuses(sent.upstreamId)).toEqual([]);
      expect(await typesOf(sent)).toEqual(['chatapp.delivered', 'chatapp.sent']);
    });

    it('that are unmatched because of a race are matched later, once', async () => {
      const sent = await chat.sent(tenant);
      await chat.query(
        `INSERT INTO chatapp.unmatched_statuses (upstream_id, status, occurred_at) VALUES ($1, 'read', now())`,
        [sent.upstreamId],
      );
      expect(await matchUnmatchedStatuses(chat.pool, 100)).toBe(1);
      expect((await chat.message(sent.id)).status).toBe('read');
      expect(await matchUnmatchedStatuses(chat.pool, 100)).toBe(0);
    });

    it('with an unknown id of the service are stored as unmatched, without another effect', async () => {
      const stranger = { ...tenant, id: newId(), upstreamId: `wamid.${newId()}`, recipient: '+1' };
      await record(chat.status(stranger, 'sent'));
      expect(await chat.unmatchedStatuses(stranger.upstreamId)).toEqual(['sent']);
    });

    it('with the id of another message apply to the message with the provider id', async () => {
      const one = await chat.sent(tenant);
      const other = await chat.sent(tenant);
      await record(chat.status(one, 'read', { callback_id: other.id }));
      expect([(await chat.message(one.id)).status, (await chat.message(other.id)).status]).toEqual([
        'read',
        'accepted',
      ]);
    });
  });
});
