import { SharedLimit } from './shared-limit';

describe('a shared limit', () => {
  let isSaturated = false;
  const limit = () => new SharedLimit(10, { max: 2, isSaturated: () => isSaturated });
  beforeEach(() => {
    isSaturated = true;
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate'] });
  });
  afterEach(() => jest.useRealTimers());

  it('is low while several owners use a saturated event loop', () => {
    const shared = limit();
    for (const owner of ['a', 'b', 'a']) shared.note(owner);
    expect(shared.current).toBe(2);
    isSaturated = false;
    expect(shared.current).toBe(10);
  });

  it('is not low for one owner, also after another one has not been active for a second', () => {
    const shared = limit();
    for (let work = 0; work < 3; work++) shared.note('a');
    expect(shared.current).toBe(10);
    shared.note('b');
    jest.advanceTimersByTime(1_001);
    expect(shared.current).toBe(10);
  });

  it('is never higher than the limit of one owner', () => {
    const one = new SharedLimit(1, { max: 2, isSaturated: () => true });
    for (const owner of ['a', 'b']) one.note(owner);
    expect(one.current).toBe(1);
  });
});
