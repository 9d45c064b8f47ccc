import { metricProblems } from './metric-problems';

describe('metricProblems', () => {
  it('row 31: finds the same problems as promtool', () => {
    const text = (name: string, type: string, help = 'Help') =>
      `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} 1\n`;
    expect(metricProblems(text('sends_total', 'counter') + text('send_duration_seconds', 'histogram'))).toEqual([]);
    expect(metricProblems(text('sends', 'counter'))).toEqual(['sends: is a counter without the suffix _total']);
    expect(metricProblems(text('handles_total', 'gauge'))).toEqual([
      'handles_total: is a gauge with the suffix of counters',
    ]);
    for (const [name, type] of [
      ['wait_ms', 'gauge'],
      ['queue_gauge', 'gauge'],
      ['queue_count', 'gauge'],
      ['queueDepth', 'gauge'],
    ]) {
      expect(metricProblems(text(name!, type!))).toHaveLength(1);
    }
    expect(metricProblems(text('depth', 'gauge', ''))).toEqual(['depth: has no help text']);
  });
});
