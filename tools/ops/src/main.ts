import 'reflect-metadata';
import { useLocalStack } from './local-stack.config';
import { runCommand } from './run-command';

useLocalStack();
void runCommand(process.argv.slice(2)).then((code) => process.exit(code));
