import { Circuit } from './circuit';

describe('the circuit before the model', () => {
  let circuit: Circuit;
  beforeEach(() => (circuit = new Circuit({ failures: 3, openMs: 10, longestOpenMs: 25 })));
  const fail = (times: number, atMs: number): void => {
    for (let time = 0; time < times; time++) circuit.failed(atMs);
  };

  it('opens after some failures in a row, and lets nothing through for a while', () => {
    fail(2, 0);
    expect([circuit.begin(0), circuit.isOpen(0)]).toEqual([true, false]);
    fail(1, 0);
    expect([circuit.begin(0), circuit.begin(9.9), circuit.isOpen(9.9)]).toEqual([false, false, true]);
  });

  it('counts failures in a row alone', () => {
    fail(2, 0);
    circuit.succeeded();
    fail(2, 0);
    expect(circuit.begin(0)).toBe(true);
  });

  it('then lets a single one through, whose success closes it', () => {
    fail(3, 0);
    expect([circuit.begin(10), circuit.begin(10)]).toEqual([true, false]);
    circuit.succeeded();
    expect([circuit.begin(10), circuit.begin(10)]).toEqual([true, true]);
  });

  it('stays open twice as long each time that one fails, up to the most', () => {
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

  it('lets the next one through when the one was given up', () => {
    fail(3, 0);
    expect(circuit.begin(10)).toBe(true);
    circuit.abandoned();
    expect(circuit.begin(10)).toBe(true);
  });

  it('opens at once for as long as the model asks for, but no longer than the most', () => {
    circuit.failed(0, 15);
    expect([circuit.isOpen(14), circuit.isOpen(15)]).toEqual([true, false]);
    circuit.failed(15, 9_999);
    expect([circuit.isOpen(39), circuit.isOpen(40)]).toEqual([true, false]);
  });

  it('is opened no longer by calls that were under way when it opened', () => {
    fail(10, 0);
    expect([circuit.isOpen(9), circuit.isOpen(10)]).toEqual([true, false]);
  });
});
