export { poll, type PollOptions } from './poll';
export { cpuOfCommand, freePort, NODE_OPTIONS_OF_SERVICES, ToolProcess, untilReady } from './processes';
export { pick, Random, upTo } from './random';
export { createScratchDatabase, type ScratchDatabase } from './scratch-database';
export { benchKey, seed } from './seed';
export {
  benchCustomer,
  benchWorkspaces,
  grantCredits,
  GRANT,
  withSeedConnection,
  type BenchWorkspace,
} from './seed-connection';
export { seedEmail } from './seed-email';
export { seedUsers, userEmail, USER_PASSWORD } from './seed-users';
