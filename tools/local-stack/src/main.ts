import 'reflect-metadata';
import { SettingsError } from '@heliograph/platform';
import { ProvisioningError } from '@heliograph/provision';
import { Closers } from './closers';
import { startStack } from './stack';
import { readStackOptions, UsageError, type StackOptions } from './stack.config';

const PARENT_CHECK_MS = 500;
const AGAIN_MS = 500;

/** Runs the local stack until a signal ends it. Exit code 0 after a signal, 1 when it did not start. */
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
    // Whoever asks again does not want to wait; the next start recovers. npm hands a Ctrl-C on that came here already.
    if (Date.now() - firstSignalAt > AGAIN_MS) process.exit(130);
    end(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal);
  process.on('uncaughtException', (error) => {
    console.error(error);
    end(1);
  });
  // Whoever read our output may be gone; the stack goes on.
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

/** npm cannot pass SIGKILL on: when it is gone, nobody holds the stack any more. */
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

/** Errors that the caller can mend are told in words; the others with all there is. */
function reasonOf(error: unknown): string {
  if (error instanceof UsageError || error instanceof SettingsError || error instanceof ProvisioningError) {
    return error.message;
  }
  if (!(error instanceof Error)) return String(error);
  const { message, stack, cause } = error;
  return cause === undefined ? (stack ?? message) : `${message}\n${reasonOf(cause)}`;
}
