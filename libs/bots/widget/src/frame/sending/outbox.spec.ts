import { ApiError } from '../api/api-error';
import { backOffMs } from './back-off';
import { Outbox, type OutboxEntry } from './outbox';

/** A simulated server with scripted responses, and a manual clock. */
class Bench {
  now = 1_000;
  isOnline = true;
  delivered: string[] = [];
  tried: string[] = [];
  shown: OutboxEntry[] = [];
  answers: (ApiError | 'taken')[] = [];
  remedy: Partial<OutboxEntry> | null = null;
  private timers: { at: number; callback: () => void }[] = [];
  readonly outbox = new Outbox({
    deliver: (entry) => {
      this.tried.push(entry.key);
      const answer = this.answers.shift() ?? 'taken';
      if (answer !== 'taken') return Promise.reject(answer);
      this.delivered.push(entry.text);
      return Promise.resolve();
    },
    changed: (entries) => (this.shown = entries),
    refused: () => this.remedy,
    isOnline: () => this.isOnline,
    now: () => this.now,
    random: () => 0.999,
    later: (ms, callback) => {
      const timer = { at: this.now + ms, callback };
      this.timers.push(timer);
      return () => (this.timers = this.timers.filter((other) => other !== timer));
    },
  });

  send(...texts: string[]): Promise<void> {
    for (const text of texts) this.outbox.add({ key: `key-${text}`, text, action: null, form: null });
    return this.settle();
  }

  async pass(ms: number): Promise<void> {
    this.now += ms;
    const due = this.timers.filter(({ at }) => at <= this.now);
    this.timers = this.timers.filter(({ at }) => at > this.now);
    for (const { callback } of due) callback();
    await this.settle();
  }

  async settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  }
}

const away = new ApiError(503, 'SERVICE_UNAVAILABLE', '');
const busy = (retryAfterMs: number) => new ApiError(429, 'RATE_LIMITED', '', retryAfterMs);
const refused = new ApiError(400, 'INVALID_REQUEST', '');

describe('the outbox', () => {
  it('delivers messages in order, one at a time', async () => {
    const bench = new Bench();
    await bench.send('a', 'b', 'c');
    expect(bench.delivered).toEqual(['a', 'b', 'c']);
    expect(bench.shown).toEqual([]);
  });

  it('retries with the same key, while later messages wait', async () => {
    const bench = new Bench();
    bench.answers = [away, away];
    await bench.send('a', 'b');
    expect(bench.shown.map(({ state }) => state)).toEqual(['waiting', 'queued']);
    await bench.pass(1_000);
    await bench.pass(2_000);
    expect(bench.tried).toEqual(['key-a', 'key-a', 'key-a', 'key-b']);
    expect(bench.delivered).toEqual(['a', 'b']);
  });

  it('waits for the time that the server requests, even if the connection returns earlier', async () => {
    const bench = new Bench();
    bench.answers = [busy(7_000)];
    await bench.send('a');
    await bench.pass(6_000);
    bench.outbox.retry();
    await bench.settle();
    expect(bench.tried).toHaveLength(1);
    await bench.pass(1_000);
    expect(bench.delivered).toEqual(['a']);
  });

  it('delivers nothing without a connection, and delivers immediately when it returns', async () => {
    const bench = new Bench();
    bench.isOnline = false;
    await bench.send('a', 'b');
    await bench.pass(60_000);
    expect(bench.tried).toEqual([]);
    bench.isOnline = true;
    bench.outbox.retry();
    await bench.settle();
    expect(bench.delivered).toEqual(['a', 'b']);
  });

  it('sets a rejected message aside, and continues with the next', async () => {
    const bench = new Bench();
    bench.answers = [refused];
    await bench.send('a', 'b');
    expect(bench.delivered).toEqual(['b']);
    expect(bench.shown).toMatchObject([{ key: 'key-a', state: 'failed', error: 'INVALID_REQUEST' }]);
    bench.outbox.retry('key-a');
    await bench.settle();
    expect(bench.delivered).toEqual(['b', 'a']);
  });

  it('retries immediately if the cause of a rejection can be corrected', async () => {
    const bench = new Bench();
    bench.answers = [refused];
    bench.remedy = { key: 'key-new' };
    await bench.send('a');
    expect(bench.tried).toEqual(['key-a', 'key-new']);
    expect(bench.shown).toEqual([]);
  });

  it('delivers unsent messages after a reload with the same keys', async () => {
    const bench = new Bench();
    bench.isOnline = false;
    await bench.send('a');
    const next = new Bench();
    next.outbox.restore(JSON.parse(JSON.stringify(bench.shown)) as OutboxEntry[]);
    await next.settle();
    expect(next.tried).toEqual(['key-a']);
  });
});

describe('the back-off of the outbox', () => {
  it('has full jitter with an upper limit from 1 to 30 seconds', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 50].map((failures) => backOffMs(failures, null, 1))).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000,
    ]);
    expect(backOffMs(6, null, 0)).toBe(0);
    expect(backOffMs(6, null, 0.5)).toBe(15_000);
  });

  it('is never shorter than the time that the server requests', () => {
    expect(backOffMs(1, 45_000, 0)).toBe(45_000);
  });
});
