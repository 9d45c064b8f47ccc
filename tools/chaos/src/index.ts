export type { UncertainPeriod } from './email/mailbox-fault-injector';
export { readParts, type Part } from './parts';
export { runSeed, type Injection, type RunResult, type RunTarget, type Servers } from './run-seed';
export { PostgresServer, RabbitServer, RedisServer, type KillableServer, type Server } from './servers';
export type { ServiceName, Services } from './services';
