import { Pool } from 'pg';
import { LocalQueues } from './local-queues';

const poolOn = (database: string): Pool => new Pool({ connectionString: `postgres://nobody@localhost/${database}` });

describe('the queues of the local bus', () => {
  it('wake the consumers of every service on the database, and of no other', () => {
    const [one, other, elsewhere] = [poolOn('a'), poolOn('a'), poolOn('b')].map((pool) => LocalQueues.join(pool));
    const woken: string[] = [];
    const stopListening = one!.listen('q', () => woken.push('one'));
    other!.listen('q', () => woken.push('other'));
    other!.listen('another', () => woken.push('another'));
    elsewhere!.listen('q', () => woken.push('elsewhere'));
    other!.wake('q');
    expect(woken).toEqual(['one', 'other']);
    stopListening();
    one!.wake('q');
    expect(woken).toEqual(['one', 'other', 'other']);
    for (const queues of [one, other, elsewhere]) queues!.leave();
  });

  it('are bound to all types that anybody has named for them, until the last bus leaves', () => {
    const [one, other] = [LocalQueues.join(poolOn('a')), LocalQueues.join(poolOn('a'))];
    one.declare({ name: 'q', bindings: ['x'] });
    other.declare({ name: 'q', bindings: ['y'] });
    other.declare({ name: 'r', bindings: ['y'] });
    expect([one.boundTo('x'), one.boundTo('y'), one.boundTo('z')]).toEqual([['q'], ['q', 'r'], []]);
    one.leave();
    const third = LocalQueues.join(poolOn('a'));
    expect(third.boundTo('x')).toEqual(['q']);
    other.leave();
    third.leave();
    const later = LocalQueues.join(poolOn('a'));
    expect(later.boundTo('x')).toEqual([]);
    later.leave();
  });
});
