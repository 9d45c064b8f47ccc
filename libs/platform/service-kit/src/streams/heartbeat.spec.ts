import { Heartbeat } from './heartbeat';

describe('the heartbeat', () => {
  it('is sent on each stream once per round, distributed over the round', () => {
    const heartbeat = new Heartbeat();
    const beats = new Map<string, number[]>();
    let now = 0;
    const begin = (name: string) =>
      heartbeat.add({ sendHeartbeat: () => beats.set(name, [...(beats.get(name) ?? []), now]) });
    const tick = (times: number) => {
      for (const end = now + times; now < end;) {
        now += 1;
        heartbeat.tick();
      }
    };
    const end = begin('one');
    tick(4);
    begin('two');
    tick(26);
    expect(beats.get('one')).toEqual([15, 30]);
    expect(beats.get('two')).toEqual([19]);
    end();
    tick(30);
    expect(beats.get('one')).toHaveLength(2);
    expect(beats.get('two')).toEqual([19, 34, 49]);
  });
});
