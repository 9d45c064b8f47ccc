export { cpuOfCommand, freePort, ToolProcess, untilReady } from './processes';
export { createScratchDatabase, type ScratchDatabase } from './scratch-database';
export { benchKey, GRANT, seed } from './seed';
