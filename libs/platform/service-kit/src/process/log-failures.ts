import type { Logger } from '../observability/logger';

/** Writes what Node.js would write as plain text to the logger: warnings, and errors that end the process. */
export function logFailures(log: () => Logger): void {
  process.on('uncaughtException', (error) => {
    log().fatal({ err: error }, 'the process ends because of an error that nothing handles');
    log().flush();
    process.exit(1);
  });
  process.removeAllListeners('warning');
  process.on('warning', (warning) => log().warn({ err: warning }, 'warning of Node.js'));
}
