import { readEnvironment } from './cli.config';
import { run } from './program';

const ending = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort(new Error(signal)));
// `heliograph … | head` closes the pipe.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});
void run(process.argv.slice(2), readEnvironment(), ending.signal).then((code) => {
  process.exitCode = code;
});
