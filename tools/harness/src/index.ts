export { cpuOfCommand, freePort, ToolProcess, untilReady } from './processes';
export { createScratchDatabase, type ScratchDatabase } from './scratch-database';
export { benchCustomer, benchKey, GRANT, seed, type SeedOptions } from './seed';
export { seedUsers, USERS_PASSWORD, userEmail } from './seed-users';
