import fc from 'fast-check';
import type { Purchase } from '@heliograph/billing';
import { reconcile } from '@heliograph/credits';
import { until } from '@heliograph/testing';
import { BillingFixture } from './billing-fixture';
import { completed, disputed, PurchaseFixture, refunded } from './purchase-fixture';

describe('a claim to the money of a purchase', () => {
  let billing: BillingFixture;
  let purchases: PurchaseFixture;
  beforeAll(async () => {
    billing = await BillingFixture.shared();
    purchases = new PurchaseFixture(billing);
  });
  afterEach(async () => {
    expect(await reconcile(purchases.pool)).toEqual([]);
  });

  const two = async () => {
    const buyer = await billing.tenant();
    return { buyer, other: await purchases.sibling(buyer) };
  };

  describe('by a refund', () => {
    it('takes the credits from the workspace to which they were moved, and leaves its own credits', async () => {
      const { buyer, other } = await two();
      await purchases.add(other, 100);
      const purchase = await purchases.paid(buyer);
      await purchases.move(buyer, other, 2_000);
      await billing.settle(refunded(purchase, 40_000));
      expect([await purchases.balance(buyer), await purchases.balance(other)]).toEqual([0, 100]);
      expect(await purchases.stored(purchase)).toMatchObject({
        status: 'refunded',
        creditsRefunded: 2_000,
        creditsNotRecovered: 0,
      });
    });

    it('takes what is unspent at the end of a chain of transfers, a part from each workspace', async () => {
      const { buyer, other } = await two();
      const third = await purchases.sibling(buyer);
      const purchase = await purchases.paid(buyer);
      await purchases.move(buyer, other, 1_500);
      await purchases.move(other, third, 600);
      await purchases.add(third, -250);
      await billing.settle(refunded(purchase, 20_000));
      // Half of the credits, those of the buying workspace first.
      expect(await purchases.stored(purchase)).toMatchObject({ creditsRefunded: 1_000, creditsNotRecovered: 0 });
      expect(await purchases.balance(buyer)).toBe(0);
      await billing.settle(refunded(purchase, 40_000));
      expect(await purchases.stored(purchase)).toMatchObject({ creditsRefunded: 1_750, creditsNotRecovered: 250 });
      expect([await purchases.balance(other), await purchases.balance(third)]).toEqual([0, 0]);
    });

    it('takes no credits of other purchases and grants, although the own ones are spent', async () => {
      const { buyer, other } = await two();
      const first = await purchases.paid(buyer);
      const second = await purchases.paid(buyer);
      await purchases.move(buyer, other, 1_500);
      await purchases.add(buyer, -700);
      await billing.settle(refunded(first, 40_000));
      // The buyer spent the 500 credits of the first purchase that it kept, and 200 of the second one.
      expect(await purchases.stored(first)).toMatchObject({ creditsRefunded: 1_500, creditsNotRecovered: 500 });
      expect([await purchases.balance(buyer), await purchases.balance(other)]).toEqual([1_800, 0]);
      await billing.settle(refunded(second, 40_000));
      expect(await purchases.stored(second)).toMatchObject({ creditsRefunded: 1_800, creditsNotRecovered: 200 });
    });

    it('takes nothing if it is in another currency than the purchase, and is counted and logged', async () => {
      const { buyer } = await two();
      const purchase = await purchases.paid(buyer);
      const count = () => billing.settledWith('amount differs');
      const before = await count();
      await billing.settle(refunded(purchase, 40_000, { currency: 'usd' }));
      expect(await purchases.balance(buyer)).toBe(2_000);
      expect(await purchases.stored(purchase)).toMatchObject({ status: 'paid', amountRefunded: 0, creditsRefunded: 0 });
      await until('it is counted', async () => (await count()) === before + 1);
      await billing.settle(refunded(purchase, 10_000, { currency: 'inr' }));
      expect(await purchases.balance(buyer)).toBe(1_500);
      expect(await purchases.stored(purchase)).toMatchObject({ amountRefunded: 10_000, creditsRefunded: 500 });
    });

    it('takes only what was refunded in the currency of the purchase, in any order of the events', async () => {
      const play = async (order: number[]) => {
        const { buyer } = await two();
        const purchase = await purchases.pending(buyer);
        const events = [
          completed(purchase),
          refunded(purchase, 40_000, { currency: 'usd' }),
          refunded(purchase, 10_000, { currency: 'INR' }),
          refunded(purchase, 20_000),
        ];
        for (const index of order) await billing.settle(events[index]!);
        expect(await purchases.stored(purchase)).toMatchObject({ amountRefunded: 20_000, creditsRefunded: 1_000 });
      };
      const orders = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 });
      await fc.assert(fc.asyncProperty(orders, play), {
        numRuns: 5,
        endOnFailure: true,
        examples: [[[1, 2, 3, 0]], [[3, 2, 1, 0]]],
      });
    });

    it('counts a refund that the release without currencies stored', async () => {
      const store = (purchase: Purchase, amount: number) =>
        purchases.pool.query(
          `INSERT INTO billing.refunds AS r (payment_id, amount_refunded) VALUES ($1, $2)
           ON CONFLICT (payment_id) DO UPDATE SET amount_refunded = greatest(r.amount_refunded, excluded.amount_refunded)`,
          [`pi_${purchase.id}`, amount],
        );
      const { buyer } = await two();
      const alone = await purchases.pending(buyer);
      await store(alone, 20_000);
      await billing.settle(completed(alone));
      expect(await purchases.stored(alone)).toMatchObject({ creditsRefunded: 1_000 });

      const followed = await purchases.pending(buyer);
      await store(followed, 20_000);
      await billing.settle(refunded(followed, 10_000, { currency: 'inr' }));
      await billing.settle(completed(followed));
      expect(await purchases.stored(followed)).toMatchObject({ creditsRefunded: 1_000 });
    });

    it('never takes more than the unspent credits while transfers, charges and refunds race', async () => {
      const { buyer, other } = await two();
      const bought = await Promise.all([1, 2, 3].map(() => purchases.pending(buyer)));
      const events = bought.flatMap((purchase) => [
        completed(purchase),
        refunded(purchase, 10_000),
        disputed(purchase, 'created', { amount: 10_000 }),
        refunded(purchase, 30_000),
        disputed(purchase, 'closed', { amount: 10_000, status: 'lost' }),
      ]);
      const settled = Promise.all(events.map((event) => billing.settle(event)));
      for (let round = 0; round < 25; round++) {
        await Promise.all([
          purchases.move(buyer, other, 170),
          purchases.move(other, buyer, 90),
          purchases.add(buyer, -40),
          purchases.add(other, -30),
        ]);
      }
      await settled;
      for (const purchase of bought) {
        const { status, creditsRefunded, creditsNotRecovered, creditsFrozen } = await purchases.stored(purchase);
        expect({ status, claimed: creditsRefunded + creditsNotRecovered, creditsFrozen }).toEqual({
          status: 'refunded',
          claimed: 2_000,
          creditsFrozen: 0,
        });
      }
      const { rows } = await purchases.pool.query<{ total: number; lowest: number }>(
        `SELECT sum(amount)::int AS total, min(balance_after)::int AS lowest FROM credits.ledger
         WHERE workspace_id = ANY ($1)`,
        [[buyer.workspaceId, other.workspaceId]],
      );
      expect(rows[0]?.lowest).toBeGreaterThanOrEqual(0);
      expect((await purchases.balance(buyer)) + (await purchases.balance(other))).toBe(rows[0]?.total);
    });
  });

  describe('by a dispute', () => {
    it('freezes the unspent credits: they can be neither spent nor moved', async () => {
      const { buyer, other } = await two();
      await purchases.add(other, 10);
      const purchase = await purchases.paid(buyer);
      await purchases.move(buyer, other, 500);
      await purchases.add(other, -60);
      await billing.settle(disputed(purchase, 'created'));
      expect([await purchases.balance(buyer), await purchases.balance(other)]).toEqual([0, 0]);
      expect(await purchases.add(buyer, -1)).toBe('insufficient');
      expect(await purchases.move(buyer, other, 1)).toBe('insufficient');
      expect(await purchases.stored(purchase)).toMatchObject({
        status: 'paid',
        creditsFrozen: 1_950,
        creditsRefunded: 0,
        creditsNotRecovered: 0,
      });
    });

    it.each(['won', 'warning_closed'])('returns them to their workspaces when it is closed as %s', async (status) => {
      const { buyer, other } = await two();
      const purchase = await purchases.paid(buyer);
      await purchases.move(buyer, other, 500);
      await billing.settle(disputed(purchase, 'created'));
      await billing.settle(disputed(purchase, 'closed', { status }));
      expect([await purchases.balance(buyer), await purchases.balance(other)]).toEqual([1_500, 500]);
      expect(await purchases.stored(purchase)).toMatchObject({ status: 'paid', creditsFrozen: 0, creditsRefunded: 0 });
      // They are still credits of the purchase.
      await billing.settle(refunded(purchase, 40_000));
      expect([await purchases.balance(buyer), await purchases.balance(other)]).toEqual([0, 0]);
    });

    it('takes the frozen credits when it is lost, and nothing else', async () => {
      const { buyer } = await two();
      const purchase = await purchases.paid(buyer);
      await purchases.add(buyer, -300);
      await billing.settle(disputed(purchase, 'created'));
      await purchases.add(buyer, 50);
      await billing.settle(disputed(purchase, 'closed', { status: 'lost' }));
      expect(await purchases.balance(buyer)).toBe(50);
      expect(await purchases.stored(purchase)).toMatchObject({
        status: 'refunded',
        amountRefunded: 40_000,
        creditsFrozen: 0,
        creditsRefunded: 1_700,
        creditsNotRecovered: 300,
      });
    });

    it('of a part of the payment freezes and takes its share', async () => {
      const { buyer } = await two();
      const purchase = await purchases.paid(buyer);
      await billing.settle(refunded(purchase, 10_000));
      await billing.settle(disputed(purchase, 'created', { amount: 20_000 }));
      expect(await purchases.balance(buyer)).toBe(500);
      await billing.settle(disputed(purchase, 'closed', { amount: 20_000, status: 'lost' }));
      expect(await purchases.balance(buyer)).toBe(500);
      expect(await purchases.stored(purchase)).toMatchObject({
        status: 'paid',
        amountRefunded: 30_000,
        creditsRefunded: 1_500,
        creditsFrozen: 0,
      });
    });

    it('concerns the whole payment if its amount is missing or in another currency', async () => {
      for (const fields of [{ amount: undefined }, { amount: 480, currency: 'usd' }, { amount: 'all' }]) {
        const { buyer } = await two();
        const purchase = await purchases.paid(buyer);
        await billing.settle(disputed(purchase, 'created', fields));
        expect(await purchases.balance(buyer)).toBe(0);
      }
    });

    it.each([
      ['lost', { creditsRefunded: 2_000, creditsFrozen: 0, status: 'refunded' }, 0],
      ['won', { creditsRefunded: 0, creditsFrozen: 0, status: 'paid' }, 2_000],
    ])(
      'has the same result in any order of its events and the payment, when it is %s',
      async (status, result, left) => {
        const play = async (order: number[]) => {
          const { buyer } = await two();
          const purchase = await purchases.pending(buyer);
          const events = [
            completed(purchase),
            disputed(purchase, 'created'),
            disputed(purchase, 'updated', { status: 'under_review' }),
            disputed(purchase, 'closed', { status }),
          ];
          for (const index of order) await billing.settle(events[index]!);
          expect(await purchases.stored(purchase)).toMatchObject(result);
          expect(await purchases.balance(buyer)).toBe(left);
        };
        const orders = fc.shuffledSubarray([0, 1, 2, 3], { minLength: 4 });
        await fc.assert(fc.asyncProperty(orders, play), { numRuns: 5, endOnFailure: true, examples: [[[3, 2, 1, 0]]] });
      },
    );

    it('of an unknown payment is acknowledged', async () => {
      const { buyer } = await two();
      const purchase = await purchases.pending(buyer);
      await billing.settle(disputed(purchase, 'created'));
      await billing.settle(disputed(purchase, 'created', { id: undefined }));
      await billing.settle(disputed(purchase, 'created', { payment_intent: null, charge: null }));
      expect((await purchases.stored(purchase)).status).toBe('pending');
    });
  });
});
