import { Inject, Injectable, OnApplicationBootstrap, OnModuleDestroy, OnModuleInit, SetMetadata } from '@nestjs/common';
import { DiscoveryService, MetadataScanner } from '@nestjs/core';
import { isDependencyFailure } from '@heliograph/errors';
import { decoratedMethods, type DecoratedMethod } from './decorated-methods';
import type { Logger } from './observability/logger';
import type { Role, ServiceConfig } from './config/service.config';
import { CONFIG, LOGGER, ROLE } from './tokens';

export interface PeriodicOptions<Config = object> {
  /** Time between the end of one run and the start of the next. A function derives it from the configuration. */
  everyMs: number | ((config: Config) => number);
  /** The role whose processes run the task. A process with the role `all` runs every task. Default: every process. */
  role?: Exclude<Role, 'all'>;
  /** Whether the service starts only after a first successful run. */
  atStart?: boolean;
}

const PERIODIC = 'heliograph:periodic';

/**
 * Runs a method of a provider periodically. Runs of one task never overlap. A failed run is logged, and the next run
 * takes place as usual. The method receives an `AbortSignal` that is aborted when the service stops, and the service
 * waits for its end.
 */
export const Periodic = <Config>(options: PeriodicOptions<Config>): MethodDecorator => SetMetadata(PERIODIC, options);

interface Task extends DecoratedMethod<PeriodicOptions> {
  timer?: NodeJS.Timeout;
  running?: Promise<void>;
}

/** Finds and runs the methods with `@Periodic()`. */
@Injectable()
export class PeriodicTasks implements OnModuleInit, OnApplicationBootstrap, OnModuleDestroy {
  private tasks: Task[] = [];
  private readonly stopping = new AbortController();

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly scanner: MetadataScanner,
    @Inject(ROLE) private readonly role: Role,
    @Inject(CONFIG) private readonly config: Partial<Pick<ServiceConfig, 'PERIODIC_INTERVAL_FACTOR'>>,
    @Inject(LOGGER) private readonly log: Logger,
  ) {}

  async onModuleInit(): Promise<void> {
    this.tasks = decoratedMethods<PeriodicOptions>(this.discovery, this.scanner, PERIODIC).filter(
      ({ metadata }) => metadata.role === undefined || this.role === 'all' || this.role === metadata.role,
    );
    for (const { metadata, call } of this.tasks) if (metadata.atStart) await call(this.stopping.signal);
  }

  onApplicationBootstrap(): void {
    for (const task of this.tasks) this.schedule(task);
  }

  /** Starts no further run and waits for those in progress. */
  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    for (const { timer } of this.tasks) clearTimeout(timer);
    await Promise.all(this.tasks.map(({ running }) => running));
  }

  private schedule(task: Task): void {
    const { everyMs } = task.metadata;
    const { PERIODIC_INTERVAL_FACTOR: factor = 1 } = this.config;
    const delayMs = typeof everyMs === 'number' ? everyMs : everyMs(this.config);
    task.timer = setTimeout(() => (task.running = this.run(task)), delayMs * factor);
    task.timer.unref();
  }

  private async run(task: Task): Promise<void> {
    try {
      await task.call(this.stopping.signal);
    } catch (error) {
      const level = isDependencyFailure(error) ? 'warn' : 'error';
      this.log[level](
        { err: error, task: task.name },
        'a periodic task failed; it runs again after its usual interval',
      );
    }
    if (!this.stopping.signal.aborted) this.schedule(task);
  }
}
