import { stopSignals } from '@heliograph/stop-signals';
import 'reflect-metadata';
import { useLocalStack } from './local-stack.config';
import { runCommand } from './run-command';

/** Time for a rollback. */
const STOP_MS = 2_000;

useLocalStack();
void runCommand(process.argv.slice(2), stopSignals.aborting(STOP_MS)).then((code) => process.exit(code));
