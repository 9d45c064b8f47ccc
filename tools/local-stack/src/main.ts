import 'reflect-metadata';
import { ConfigError } from '@heliograph/service-kit';
import { ProvisioningError } from '@heliograph/provision';
import { Closers } from './closers';
import { startStack } from './stack';
import { readStackOptions, UsageError, type StackOptions } from './stack.config';

const PARENT_CHECK_MS = 500;
const AGAIN_MS = 500;

/** Runs the local stack until a signal. Exit code 0 after a signal, 1 if it did not start. */
export async function main(root: string, args: readonly string[]): Promise<void> {
  const closers = new Closers();
  let firstSignalAt = 0;
  const end = (exitCode: number): void => {
    closers.closeAll().then(
      () => process.exit(exitCode),
      () => process.exit(1),
    );
  };
  const onSignal = (): void => {
    firstSignalAt ||= Date.now();
    // A second signal exits immediately; the next start recovers. npm repeats a Ctrl-C that this process has already received.
    if (Date.now() - firstSignalAt > AGAIN_MS) process.exit(130);
    end(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  process.on('uncaughtException', (error) => {
    console.error(error);
    end(1);
  });
  // The reader of the output may have exited; the stack continues.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);

  try {
    const options = readStackOptions(root, args);
    endWithNpm(options, () => end(0));
    await startStack(options, closers);
  } catch (error) {
    if (closers.isClosing) return;
    console.error(`The local stack did not start.\n${reasonOf(error)}`);
    end(1);
  }
}

/** npm cannot forward SIGKILL, so the stack stops when npm has exited. */
function endWithNpm({ startedByNpm }: StackOptions, end: () => void): void {
  if (!startedByNpm) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    end();
  }, PARENT_CHECK_MS);
  timer.unref();
}

/** The message of errors that the user can fix; the stack trace of all others. */
function reasonOf(error: unknown): string {
  if (error instanceof UsageError || error instanceof ConfigError || error instanceof ProvisioningError) {
    return error.message;
  }
  if (!(error instanceof Error)) return String(error);
  const { message, stack, cause } = error;
  return cause === undefined ? (stack ?? message) : `${message}\n${reasonOf(cause)}`;
}
