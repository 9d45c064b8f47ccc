import { generateDkimKey } from './dkim-key';

describe('DKIM keys', () => {
  it('are generated one after the other in the order of the calls, and calls beyond 20 are rejected', async () => {
    const order: number[] = [];
    const calls = Array.from({ length: 22 }, async (_, index) => {
      const { publicKey } = await generateDkimKey();
      order.push(index);
      return publicKey;
    });
    const outcomes = await Promise.allSettled(calls);
    const keys = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : []));
    expect([keys.length, new Set(keys).size]).toEqual([20, 20]);
    expect(order).toEqual([...Array(20).keys()]);
    expect(outcomes.at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'SERVICE_UNAVAILABLE' } });
    await expect(generateDkimKey()).resolves.toBeDefined();
  });
});
