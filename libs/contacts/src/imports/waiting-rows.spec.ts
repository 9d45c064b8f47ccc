import { orderWaiting, type Holder, type WaitingRow } from './waiting-rows';

const row = (number: number, emailKey: string, phone: string | null): WaitingRow => ({ row: number, emailKey, phone });
const holder = (emailKey: string | null, phone: string | null): Holder => ({ emailKey, phone });

describe('the order of waiting rows', () => {
  it('follows a chain from the free number', () => {
    const rows = [row(1, 'a', '2'), row(2, 'b', '3'), row(3, 'c', '4')];
    expect(orderWaiting(rows, [holder('a', '1'), holder('b', '2'), holder('c', '3')], 10)).toEqual([[3], [2], [1]]);
  });

  it('groups the rows of an exchange, and imports the rows that this makes free', () => {
    const rows = [row(1, 'a', '2'), row(2, 'x', '3'), row(3, 'b', '1'), row(4, 'b', '3'), row(5, 'c', '9')];
    const holders = [holder('a', '1'), holder('b', '2'), holder('c', '3')];
    expect(orderWaiting(rows, holders, 10)).toEqual([[5], [2], [1, 3], [4]]);
  });

  it('gives a number to the first row that waits for it', () => {
    const rows = [row(1, 'x', '1'), row(2, 'y', '1'), row(3, 'a', '2')];
    expect(orderWaiting(rows, [holder('a', '1')], 10)).toEqual([[3], [1], [2]]);
  });

  it('contains every row once, also those whose number is not released', () => {
    const rows = [row(1, 'a', '2'), row(2, 'a', null), row(3, 'b', '7'), row(4, 'd', '8')];
    const holders = [holder('a', '1'), holder('b', '2'), holder('e', '7'), holder(null, '8'), holder('d', null)];
    const order = orderWaiting(rows, holders, 10);
    expect(order.flat().sort((one, other) => one - other)).toEqual([1, 2, 3, 4]);
    expect(order.every((group) => group.length === 1)).toBe(true);
  });

  it('has no group of more contacts than allowed', () => {
    const rows = Array.from({ length: 5 }, (_, n) => row(n, String(n), String((n + 1) % 5)));
    const holders = rows.map(({ emailKey }) => holder(emailKey, emailKey));
    expect(orderWaiting(rows, holders, 5)).toEqual([[0, 1, 2, 3, 4]]);
    expect(orderWaiting(rows, holders, 4)).toHaveLength(5);
  });

  it('is fast for many rows', () => {
    const count = 20_000;
    const rows = Array.from({ length: count }, (_, n) => row(n, String(n), String((n + 1) % count)));
    const holders = rows.map(({ emailKey }) => holder(emailKey, emailKey));
    const startedAt = performance.now();
    expect(orderWaiting(rows, holders, 1_000)).toHaveLength(count);
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });
});
