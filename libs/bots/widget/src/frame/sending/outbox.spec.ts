import { ApiError } from '../api/api-error';
import { backOffMs } from './back-off';
import { Outbox, type OutboxEntry } from './outbox';

/** A server that answers as told, and a clock that moves when told. */
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
  it('delivers in order, one at a time', async () => {
    const bench = new Bench();
    await bench.send('a', 'b', 'c');
    expect(bench.delivered).toEqual(['a', 'b', 'c']);
    expect(bench.shown).toEqual([]);
  });

  it('tries again under the same key, with later ones waiting behind', async () => {
    const bench = new Bench();
    bench.answers = [away, away];
    await bench.send('a', 'b');
    expect(bench.shown.map(({ state }) => state)).toEqual(['waiting', 'queued']);
    await bench.pass(1_000);
    await bench.pass(2_000);
    expect(bench.tried).toEqual(['key-a', 'key-a', 'key-a', 'key-b']);
    expect(bench.delivered).toEqual(['a', 'b']);
  });

  it('waits as long as the server asks, also when the connection comes back in between', async () => {
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

  it('delivers nothing without a connection, and at once when it is back', async () => {
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

  it('puts aside what is refused, and goes on with the next', async () => {
    const bench = new Bench();
    bench.answers = [refused];
    await bench.send('a', 'b');
    expect(bench.delivered).toEqual(['b']);
    expect(bench.shown).toMatchObject([{ key: 'key-a', state: 'failed', error: 'INVALID_REQUEST' }]);
    bench.outbox.retry('key-a');
    await bench.settle();
    expect(bench.delivered).toEqual(['b', 'a']);
  });

  it('tries again at once with what remedies a refusal', async () => {
    const bench = new Bench();
    bench.answers = [refused];
    bench.remedy = { key: 'key-new' };
    await bench.send('a');
    expect(bench.tried).toEqual(['key-a', 'key-new']);
    expect(bench.shown).toEqual([]);
  });

  it('takes up after a reload what was on its way, with its key', async () => {
    const bench = new Bench();
    bench.isOnline = false;
    await bench.send('a');
    const next = new Bench();
    next.outbox.restore(JSON.parse(JSON.stringify(bench.shown)) as OutboxEntry[]);
    await next.settle();
    expect(next.tried).toEqual(['key-a']);
  });
});

describe('the back-off', () => {
  it('has full jitter under a ceiling from one second to thirty', () => {
    expect([1, 2, 3, 4, 5, 6, 7, 50].map((failures) => backOffMs(failures, null, 1))).toEqual([
      1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000, 30_000,
    ]);
    expect(backOffMs(6, null, 0)).toBe(0);
    expect(backOffMs(6, null, 0.5)).toBe(15_000);
  });

  it('is never shorter than what the server asks for', () => {
    expect(backOffMs(1, 45_000, 0)).toBe(45_000);
  });
});
