export { poll, type PollOptions } from './poll';
export { cpuOfCommand, freePort, NODE_OPTIONS_OF_SERVICES, ToolProcess, untilReady } from './processes';
export { createScratchDatabase, type ScratchDatabase } from './scratch-database';
export { seed } from './seed';
export { benchWorkspaces, grantCredits, GRANT, withSeedConnection, type BenchWorkspace } from './seed-connection';
export { seedEmail } from './seed-email';
export { seedUsers } from './seed-users';
export { end, isFree, StackProcess } from './stack-process';
export { installSdk, PYTHON_SDK } from './install-sdk';
