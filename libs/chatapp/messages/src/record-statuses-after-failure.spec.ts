import { post } from '@heliograph/credits';
import { newId } from '@heliograph/database';
import { MessagesFixture, type Sent, type Tenant } from './messages.fixture';
import type { StatusRow } from './rows';
import { recordAnswers, recordInbound, recordStatuses, settleOverdue } from './write-messages';

describe('statuses of a message', () => {
  let chat: MessagesFixture;
  beforeAll(async () => {
    chat = await MessagesFixture.start();
  });
  afterAll(() => chat.stop());

  const record = (...rows: StatusRow[]) => recordStatuses(chat.pool, rows);

  describe('that arrive after the message was marked as failed', () => {
    const givenUp = async (payer: Tenant): Promise<Sent> => {
      const sent = await chat.accepted(payer);
      await recordAnswers(chat.pool, [
        chat.answer(sent.id, { upstream_id: null, error: 'no answer', is_presumed: true }),
      ]);
      return sent;
    };

    it('change it to sent or delivered, and charge it once', async () => {
      const payer = await chat.tenant(100);
      const sent = await givenUp(payer);
      expect(await chat.balance(payer)).toBe(100);
      await record(chat.status(sent, 'sent'));
      await record(chat.status(sent, 'delivered'), chat.status(sent, 'sent'));
      expect(await chat.message(sent.id)).toMatchObject({
        status: 'delivered',
        error: null,
        failedAt: null,
        isCharged: true,
        isPresumed: false,
      });
      expect(await chat.balance(payer)).toBe(0);
    });

    it('change and charge it even if the balance is insufficient', async () => {
      const payer = await chat.tenant(100);
      const sent = await givenUp(payer);
      await post(chat.pool, [
        { ...payer, creditType: 'chatapp', kind: 'adjustment', amount: -60, reference: newId(), correlationId: null },
      ]);
      await record(chat.status(sent, 'read'));
      expect(await chat.message(sent.id)).toMatchObject({ status: 'read', isCharged: false });
      expect(await chat.balance(payer)).toBe(40);
    });

    it('charge each of many messages in one call to its own workspace', async () => {
      const payers = await Promise.all([100, 50, 100].map((credits) => chat.tenant(credits)));
      const prices = [100, 0, 60];
      const sends = await Promise.all(payers.map((payer, n) => chat.accepted(payer, { price: prices[n]! })));
      await recordAnswers(
        chat.pool,
        sends.map(({ id }) => chat.answer(id, { upstream_id: null, error: 'no answer', is_presumed: true })),
      );
      await record(...sends.map((sent) => chat.status(sent, 'sent')));
      expect(await Promise.all(payers.map((payer) => chat.balance(payer)))).toEqual([0, 50, 40]);
    });

    it('can confirm the failure, and the message remains refunded', async () => {
      const payer = await chat.tenant(100);
      const sent = await givenUp(payer);
      await record(chat.status(sent, 'failed', { error: 'Not a registered number' }));
      expect(await chat.message(sent.id)).toMatchObject({ status: 'failed', error: 'Not a registered number' });
      expect(await chat.balance(payer)).toBe(100);
    });

    it('use the returned free message again', async () => {
      const payer = await chat.tenant(100);
      const number = chat.acceptance(payer).recipient;
      await recordInbound(chat.pool, [chat.inbound(number, { occurred_at: new Date().toISOString() })]);
      const sent = await chat.accepted(payer, {
        recipient: number,
        category: 'service',
        is_free_in_window: true,
        monthly_limit: 10,
      });
      const used = () => chat.allowanceUsed(payer);
      expect(await used()).toBe(1);
      expect(await settleOverdue(chat.pool, -1_000, 1_000)).toBeGreaterThan(0);
      expect(await used()).toBe(0);
      await record(chat.status(sent, 'delivered'));
      expect(await used()).toBe(1);
      expect(await chat.balance(payer)).toBe(100);
    });
  });
});
