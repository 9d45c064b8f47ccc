import { Circuit } from './circuit';

describe('the circuit breaker of the model', () => {
  let circuit: Circuit;
  beforeEach(() => (circuit = new Circuit({ failures: 3, openMs: 10, longestOpenMs: 25 })));
  const fail = (times: number, atMs: number): void => {
    for (let time = 0; time < times; time++) circuit.failed(atMs);
  };

  it('opens after consecutive failures and blocks calls for a while', () => {
    fail(2, 0);
    expect([circuit.begin(0), circuit.isOpen(0)]).toEqual([true, false]);
    fail(1, 0);
    expect([circuit.begin(0), circuit.begin(9.9), circuit.isOpen(9.9)]).toEqual([false, false, true]);
  });

  it('counts only consecutive failures', () => {
    fail(2, 0);
    circuit.succeeded();
    fail(2, 0);
    expect(circuit.begin(0)).toBe(true);
  });

  it('then allows a single call, which closes it if it succeeds', () => {
    fail(3, 0);
    expect([circuit.begin(10), circuit.begin(10)]).toEqual([true, false]);
    circuit.succeeded();
    expect([circuit.begin(10), circuit.begin(10)]).toEqual([true, true]);
  });

  it('doubles the open time after every failure, up to the maximum', () => {
    fail(3, 0);
    for (const [triedAt, opensAt] of [
      [10, 30],
      [30, 55],
      [55, 80],
    ] as const) {
      expect(circuit.begin(triedAt)).toBe(true);
      circuit.failed(triedAt);
      expect([circuit.begin(opensAt - 1), circuit.isOpen(opensAt)]).toEqual([false, false]);
    }
    expect(circuit.begin(80)).toBe(true);
    circuit.succeeded();
    fail(3, 100);
    expect([circuit.isOpen(109), circuit.isOpen(110)]).toEqual([true, false]);
  });

  it('allows another call when the probe was canceled', () => {
    fail(3, 0);
    expect(circuit.begin(10)).toBe(true);
    circuit.abandoned();
    expect(circuit.begin(10)).toBe(true);
  });

  it('opens immediately for the time that the model requests, up to the maximum', () => {
    circuit.failed(0, 15);
    expect([circuit.isOpen(14), circuit.isOpen(15)]).toEqual([true, false]);
    circuit.failed(15, 9_999);
    expect([circuit.isOpen(39), circuit.isOpen(40)]).toEqual([true, false]);
  });

  it('is not extended by calls that were in progress when it opened', () => {
    fail(10, 0);
    expect([circuit.isOpen(9), circuit.isOpen(10)]).toEqual([true, false]);
  });
});
