import { ChangeNotice } from './change-notice';

describe('a notice of changes', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  it('is sent once for many changes, again for later ones, and not after it was stopped', async () => {
    const sent: string[][] = [];
    const notice = new ChangeNotice((_text, values) => {
      sent.push(values);
      return Promise.reject(new Error('the database is unavailable'));
    }, 'webhooks.queue');
    for (let change = 0; change < 5; change++) notice.notify();
    await jest.advanceTimersByTimeAsync(20);
    expect(sent).toEqual([['heliograph_changes', 'webhooks.queue']]);
    notice.notify();
    await jest.advanceTimersByTimeAsync(50);
    expect(sent).toHaveLength(1);
    await jest.advanceTimersByTimeAsync(50);
    expect(sent).toHaveLength(2);
    notice.notify();
    notice.stop();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(sent).toHaveLength(2);
  });
});
