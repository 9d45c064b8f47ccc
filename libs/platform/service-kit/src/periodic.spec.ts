import { Injectable, Module } from '@nestjs/common';
import { DiscoveryModule, NestFactory } from '@nestjs/core';
import { until } from '@heliograph/testing';
import { Periodic, PeriodicTasks } from './periodic';
import type { Role } from './config/service.config';
import { CONFIG, LOGGER, ROLE } from './tokens';

@Injectable()
class Tasks {
  readonly runs = { start: 0, failing: 0, slow: 0, worker: 0, configured: 0 };
  slowRunning = 0;
  maxSlowRunning = 0;
  release: () => void = () => undefined;
  aborted = false;

  @Periodic({ everyMs: 60_000, atStart: true })
  atStart(): void {
    this.runs.start++;
  }

  @Periodic({ everyMs: 1 })
  failing(): never {
    this.runs.failing++;
    throw new Error('on purpose');
  }

  @Periodic({ everyMs: 1 })
  async slow(signal: AbortSignal): Promise<void> {
    this.runs.slow++;
    this.maxSlowRunning = Math.max(this.maxSlowRunning, ++this.slowRunning);
    await new Promise<void>((resolve) => (this.release = resolve));
    this.slowRunning--;
    this.aborted = signal.aborted;
  }

  @Periodic({ everyMs: (config: { TASK_MS: number }) => config.TASK_MS })
  configured(): void {
    this.runs.configured++;
  }

  @Periodic({ everyMs: 1, role: 'worker' })
  worker(): void {
    this.runs.worker++;
  }
}

@Module({})
class Root {}

async function start(role: Role, config: object = { TASK_MS: 1 }) {
  const errors: object[] = [];
  const root = {
    module: Root,
    imports: [DiscoveryModule],
    providers: [
      Tasks,
      PeriodicTasks,
      { provide: ROLE, useValue: role },
      { provide: CONFIG, useValue: config },
      { provide: LOGGER, useValue: { error: (fields: object) => errors.push(fields) } },
    ],
  };
  const module = await NestFactory.createApplicationContext(root, { logger: false });
  return { module, errors, tasks: module.get(Tasks) };
}

describe('periodic tasks', () => {
  it('run at the start if configured, and run again after a failure, which is logged with the name of the task', async () => {
    const { module, errors, tasks } = await start('all');
    expect(tasks.runs.start).toBe(1);
    await until('the task has failed several times', () => tasks.runs.failing > 2);
    expect(errors[0]).toMatchObject({ task: 'Tasks.failing' });
    tasks.release();
    await module.close();
  });

  it('can derive their interval from the configuration', async () => {
    const { module, tasks } = await start('api');
    await until('the task has run', () => tasks.runs.configured > 1);
    tasks.release();
    await module.close();
  });

  it('run more often with a smaller PERIODIC_INTERVAL_FACTOR', async () => {
    const { module, tasks } = await start('api', { TASK_MS: 60_000, PERIODIC_INTERVAL_FACTOR: 0.0001 });
    await until('the task has run', () => tasks.runs.configured > 1);
    tasks.release();
    await module.close();
  });

  it('never overlap, and stop after the current run, whose signal is aborted', async () => {
    const { module, tasks } = await start('all');
    await until('the slow task runs', () => tasks.slowRunning === 1);
    tasks.release();
    await until('the slow task runs again', () => tasks.runs.slow === 2);
    let closed = false;
    const closing = module.close().then(() => (closed = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed).toBe(false);
    tasks.release();
    await closing;
    expect(tasks).toMatchObject({ maxSlowRunning: 1, slowRunning: 0, aborted: true });
    const { runs } = tasks;
    const before = { ...runs };
    await new Promise((resolve) => setImmediate(resolve));
    expect(runs).toEqual(before);
  });

  it('with a role run in processes with this role and with the role `all`', async () => {
    const api = await start('api');
    const worker = await start('worker');
    await until('the worker runs its task', () => worker.tasks.runs.worker > 2);
    expect(api.tasks.runs.worker).toBe(0);
    for (const { module, tasks } of [api, worker]) {
      tasks.release();
      await module.close();
    }
  });
});
