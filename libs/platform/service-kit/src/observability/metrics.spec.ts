import { createRegistry, HttpMetrics } from './metrics';

describe('the metrics of a service', () => {
  it('row 31: metrics named _total are counters, and counters are named _total', async () => {
    const registry = createRegistry('one');
    new HttpMetrics(registry).observe({ method: 'GET', route: '/x', status: 400, seconds: 1, code: 'INVALID_REQUEST' });
    const types = [...(await registry.metrics()).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
    expect(types.length).toBeGreaterThan(10);
    for (const [, name, type] of types) expect([name, type === 'counter']).toEqual([name, name?.endsWith('_total')]);
  });
});
