import { Health } from './health';
import { createRegistry, HttpMetrics, registerBuildInfo, registerHealthMetrics } from './metrics';

describe('the metrics of a service', () => {
  it('row 31: metrics named _total are counters, and counters are named _total', async () => {
    const registry = createRegistry('one', 'all');
    new HttpMetrics(registry).observe({ method: 'GET', route: '/x', status: 400, seconds: 1, code: 'INVALID_REQUEST' });
    const types = [...(await registry.metrics()).matchAll(/^# TYPE (\S+) (\S+)$/gm)];
    expect(types.length).toBeGreaterThan(10);
    for (const [, name, type] of types) expect([name, type === 'counter']).toEqual([name, name?.endsWith('_total')]);
  });

  it('have the labels service and role, and tell the release', async () => {
    const registry = createRegistry('one', 'worker');
    registerBuildInfo(registry, { BUILD_VERSION: '1.2.3', BUILD_REVISION: 'abc' });
    expect(await registry.metrics()).toContain(
      'build_info{version="1.2.3",revision="abc",service="one",role="worker"} 1',
    );
  });

  it('tell the readiness and each dependency at the time of the reading', async () => {
    const registry = createRegistry('one', 'all');
    const health = new Health('one');
    registerHealthMetrics(registry, health);
    const failing = new Set<string>();
    const check = (name: string) => (): void => {
      if (failing.has(name)) throw new Error('down');
    };
    health.register('database', true, check('database'));
    health.register('bus', false, check('bus'));
    const read = async (): Promise<string[]> =>
      (await registry.metrics()).split('\n').filter((line) => /^(?:service_ready|dependency_up)/.test(line));
    const labels = 'service="one",role="all"';
    const lines = (ready: number, database: number, bus: number): string[] => [
      `service_ready{${labels}} ${ready}`,
      `dependency_up{dependency="database",required="true",${labels}} ${database}`,
      `dependency_up{dependency="bus",required="false",${labels}} ${bus}`,
    ];
    expect(await read()).toEqual(lines(1, 1, 1));
    failing.add('bus');
    expect(await read()).toEqual(lines(1, 1, 0));
    failing.add('database');
    expect(await read()).toEqual(lines(0, 0, 0));
  });
});
