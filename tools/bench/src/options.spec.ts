import { readOptions } from './options';

describe('The options of the benchmark', () => {
  it('select all suites without arguments', () => {
    expect(readOptions([])).toMatchObject({ only: null, rows: null, processes: 1, memory: false });
  });

  it('select a suite by --only', () => {
    expect(readOptions(['--only', 'sms', '--rounds', '2'])).toMatchObject({ only: 'sms', rows: null, rounds: 2 });
  });

  it('select a suite by its name, and its rows by --only', () => {
    expect(readOptions(['neighbours'])).toMatchObject({ only: 'neighbours', rows: null });
    expect(readOptions(['neighbours', '--only', '1,4', '--processes', '2', '--memory'])).toMatchObject({
      only: 'neighbours',
      rows: [1, 4],
      processes: 2,
      memory: true,
    });
  });
});
