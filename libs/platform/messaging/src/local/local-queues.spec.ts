import { Pool } from 'pg';
import { LocalQueues } from './local-queues';

const poolOn = (database: string): Pool => new Pool({ connectionString: `postgres://nobody@localhost/${database}` });

describe('the queues of the local bus', () => {
  it('wake only the consumers of all services on the same database', () => {
    const [one, other, elsewhere] = [poolOn('a'), poolOn('a'), poolOn('b')].map((pool) => LocalQueues.join(pool));
    const woken: string[] = [];
    const removeWaker = one!.onWake('q', () => woken.push('one'));
    other!.onWake('q', () => woken.push('other'));
    other!.onWake('another', () => woken.push('another'));
    elsewhere!.onWake('q', () => woken.push('elsewhere'));
    other!.wake('q');
    expect(woken).toEqual(['one', 'other']);
    removeWaker();
    one!.wake('q');
    expect(woken).toEqual(['one', 'other', 'other']);
    for (const queues of [one, other, elsewhere]) queues!.leave();
  });

  it('have the bindings of all declarations until the last bus stops', () => {
    const one = LocalQueues.join(poolOn('a'));
    const other = LocalQueues.join(poolOn('a'));
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
