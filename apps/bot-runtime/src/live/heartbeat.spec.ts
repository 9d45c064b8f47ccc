import { Heartbeat } from './heartbeat';

describe('the heartbeat', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('beats each stream once per round, spread over the round', () => {
    const heartbeat = new Heartbeat(1_000);
    const beats = new Map<string, number[]>();
    const begin = (name: string) =>
      heartbeat.add({ beat: () => beats.set(name, [...(beats.get(name) ?? []), Date.now()]) });
    const startedAt = Date.now();
    const end = begin('one');
    jest.advanceTimersByTime(4_000);
    begin('two');
    jest.advanceTimersByTime(26_000);
    const seconds = (name: string) => beats.get(name)?.map((at) => (at - startedAt) / 1000);
    expect(seconds('one')).toEqual([15, 30]);
    expect(seconds('two')).toEqual([19]);
    end();
    jest.advanceTimersByTime(30_000);
    expect(seconds('one')).toHaveLength(2);
    expect(seconds('two')).toEqual([19, 34, 49]);
    heartbeat.stop();
    jest.advanceTimersByTime(60_000);
    expect(seconds('two')).toHaveLength(3);
  });
});
