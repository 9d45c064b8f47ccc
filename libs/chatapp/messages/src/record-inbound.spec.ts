import { ALL_EVENTS } from '@heliograph/contracts';
import { newId } from '@heliograph/database';
import { MessagesFixture, newNumber, type Tenant } from './messages.fixture';
import type { InboundRow } from './rows';
import { recordAnswers, recordInbound } from './write-messages';

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
  const stored = (upstreamId: string) =>
    chat.query<{ id: string; payload: unknown }>(
      `SELECT id, payload FROM chatapp.messages WHERE upstream_id = $1 AND direction = 'inbound'`,
      [upstreamId],
    );
  const windowOf = async (number: string): Promise<Date | null> => {
    const [row] = await chat.query<{ at: Date | null }>(
      'SELECT last_inbound_at AS at FROM chatapp.numbers WHERE account_id = $1 AND number = $2',
      [chat.accountId, number],
    );
    return row?.at ?? null;
  };

  it('are stored completely, and published in the format of the contract', async () => {
    const sender = await chat.written(one);
    const payload = { from: sender, text: { body: 'naïve 👋 "quoted" \\ __proto__' }, nested: [{ a: [1, null, 1.5] }] };
    const row = chat.inbound(sender, { type: 'image', media_id: '42', payload, occurred_at: at(7) });
    expect(await record(row)).toBe(1);
    expect(await chat.message(row.id)).toMatchObject({
      ...one,
      accountId: chat.accountId,
      direction: 'inbound',
      status: 'received',
      type: 'image',
      sender,
      recipient: '+15550783881',
      upstreamId: row.upstream_id,
      mediaId: '42',
      payload,
      price: null,
    });
    const [event, ...more] = await chat.events(row.id);
    expect(more).toEqual([]);
    expect(event).toMatchObject({ type: 'chatapp.inbound.received', ...one, correlationId: null, time: at(7) });
    expect(event!.data).toEqual({
      messageId: row.id,
      chatappMessageId: row.upstream_id,
      from: sender,
      to: '+15550783881',
      type: 'image',
      message: payload,
      occurredAt: at(7),
    });
    const contract = ALL_EVENTS.find(({ type }) => type === event!.type)!;
    expect(contract.schema.safeParse(event!.data).error).toBeUndefined();
  });

  describe('are stored once', () => {
    it('when one is received again later in another format', async () => {
      const row = chat.inbound(newNumber());
      expect(await record(row)).toBe(1);
      expect(await record({ ...row, id: newId(), payload: { other: true } })).toBe(0);
      expect(await stored(row.upstream_id)).toEqual([{ id: row.id, payload: row.payload }]);
      expect(await chat.events(row.id)).toHaveLength(1);
    });

    it('when a call contains one twice, and the first one is used', async () => {
      const row = chat.inbound(newNumber());
      expect(await record(row, { ...row, id: newId(), payload: { other: true } })).toBe(1);
      expect(await stored(row.upstream_id)).toEqual([{ id: row.id, payload: row.payload }]);
    });

    const bringAtOnce = async (make: () => InboundRow[]): Promise<void> => {
      for (let turn = 0; turn < 5; turn++) {
        const rows = make();
        const counts = await Promise.all(
          Array.from({ length: 12 }, (_, n) => {
            const copies = rows.map((row) => ({ ...row, id: newId() }));
            return record(...(n % 2 === 0 ? copies : copies.toReversed()));
          }),
        );
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(rows.length);
      }
    };

    it('when many calls contain them concurrently in any order, without a deadlock', async () => {
      const senders = await Promise.all(Array.from({ length: 20 }, () => chat.written(one)));
      await bringAtOnce(() => senders.flatMap((sender) => [chat.inbound(sender), chat.saysStop(sender)]));
    });

    it('when many calls contain them concurrently for an unknown phone number id', async () => {
      await bringAtOnce(() =>
        Array.from({ length: 400 }, () => chat.inbound(newNumber(), { phone_number_id: 'foreign' })),
      );
    });
  });

  it('open the window of the number based on their own timestamp, and never shorten it', async () => {
    const sender = newNumber();
    await record(chat.inbound(sender, { occurred_at: at(20) }));
    await record(chat.inbound(sender, { occurred_at: at(10) }));
    expect((await windowOf(sender))?.toISOString()).toBe(at(20));
    await record(chat.inbound(sender, { occurred_at: at(30) }), chat.inbound(sender, { occurred_at: at(5) }));
    expect((await windowOf(sender))?.toISOString()).toBe(at(30));
  });

  describe('belong to', () => {
    it('the organization that last messaged the number', async () => {
      const sender = await chat.written(one, other);
      const row = chat.inbound(sender);
      await record(row);
      expect(await chat.message(row.id)).toMatchObject(other);
    });

    it('the organization whose send was last, even if the response to an earlier send arrives later', async () => {
      const recipient = newNumber();
      const earlier = await chat.accepted(one, { recipient });
      await chat.sent(other, { recipient });
      await recordAnswers(chat.pool, [chat.answer(earlier.id)]);
      const row = chat.inbound(recipient);
      await record(row);
      expect(await chat.message(row.id)).toMatchObject(other);
    });

    it('no organization until one messages the number', async () => {
      const sender = newNumber();
      const row = chat.inbound(sender);
      await record(row);
      expect(await chat.message(row.id)).toMatchObject({ organizationId: null, workspaceId: null });
      expect((await chat.events(row.id))[0]).toMatchObject({ organizationId: null, workspaceId: null });
      await chat.sent(one, { recipient: sender });
      await chat.sent(other, { recipient: sender });
      expect(await chat.message(row.id)).toMatchObject(one);
    });

    it('no organization when the provider rejected the send', async () => {
      const sent = await chat.accepted(one);
      const row = chat.inbound(sent.recipient);
      await record(row);
      expect((await chat.message(row.id)).organizationId).toBeNull();
    });

    it('the organization that messaged an alias of the number', async () => {
      const upstream = newNumber();
      await chat.sent(one, {}, { upstream_number: upstream });
      const row = chat.inbound(upstream);
      await record(row);
      expect(await chat.message(row.id)).toMatchObject(one);
    });

    it('no account for an unknown phone number id, and have no effect', async () => {
      const sender = await chat.written(one);
      const row = chat.saysStop(sender, { phone_number_id: 'foreign' });
      expect(await record(row)).toBe(1);
      expect(await chat.message(row.id)).toMatchObject({ accountId: null, organizationId: null });
      expect(await windowOf(sender)).toBeNull();
      expect(await chat.consent(one.organizationId, sender)).toEqual(['opted_in', 'send']);
    });

    it('an organization, independent of whether the send or the message is stored first', async () => {
      const pairs = await Promise.all(
        Array.from({ length: 25 }, async () => {
          const sender = newNumber();
          const row = chat.inbound(sender);
          await Promise.all([record(row), chat.sent(one, { recipient: sender })]);
          return row.id;
        }),
      );
      for (const id of pairs) expect(await chat.message(id)).toMatchObject(one);
    });
  });

  it('update the display phone number', async () => {
    const displayed = async () =>
      (
        await chat.query<{ number: string }>('SELECT display_number AS number FROM chatapp.accounts WHERE id = $1', [
          chat.accountId,
        ])
      )[0]!.number;
    await record(chat.inbound(newNumber(), { recipient: '+15551234567' }));
    expect(await displayed()).toBe('+15551234567');
    await record(chat.inbound(newNumber(), { recipient: chat.phoneNumberId }));
    expect(await displayed()).toBe('+15551234567');
  });
});
