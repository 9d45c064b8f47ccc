import { isId, isTestId, newId, testIdOf } from './ids';

describe('the id of a test twin', () => {
  it('is a UUID of version 8 with the other bits of the live id', () => {
    for (let n = 0; n < 100; n++) {
      const live = newId();
      const test = testIdOf(live);
      expect([isId(test), isTestId(test), isTestId(live)]).toEqual([true, true, false]);
      expect(test).toBe(live.replace(/^(.{14})7/, '$18'));
    }
  });
});
