import { types } from 'node:util';
import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/**
 * Lines are written together: a system call for each would be most of the cost of one line a request. The last lines are
 * written when the process exits; only a killed process loses those of this interval.
 */
const BUFFERED = { sync: false, minLength: 4_096, periodicFlush: 250 };

/**
 * Writes one JSON line per entry. Statements, parameters and values of database errors and headers with secrets are
 * omitted.
 */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: (error: unknown) => loggableError(error) },
    redact: ['headers.authorization', 'headers["x-api-key"]', 'headers.cookie'],
  };
  return pino(options, destination ?? pino.destination(BUFFERED));
}

const MAX_CAUSES = 3;
/** Classes of PostgreSQL errors whose messages quote names only, for example of a constraint. The others can quote values. */
const NAMING_SQLSTATE = /^(?:23|28|3D|3F|42|55)/;

/** What a log may contain of an error: no statements, parameters or values of rows. */
export function loggableError(error: unknown, depth = 0): unknown {
  if (!types.isNativeError(error) && !(error instanceof Error)) return error;
  const code: unknown = 'code' in error ? error.code : undefined;
  const message = messageOf(error, code);
  return {
    type: error.name,
    message,
    ...(typeof code === 'string' ? { code } : {}),
    stack: error.stack?.replace(error.message, () => message),
    ...(error.cause !== undefined && depth < MAX_CAUSES ? { cause: loggableError(error.cause, depth + 1) } : {}),
  };
}

/** Masks from the first to the last quote, because a value can contain quotes. */
function messageOf(error: Error, code: unknown): string {
  if (!('severity' in error) || typeof code !== 'string' || NAMING_SQLSTATE.test(code)) return error.message;
  return error.message.replace(/".*"/s, '"…"');
}

/** Writes Nest's own messages to the logger of the service; start-up messages at level debug. */
export class NestLogger implements LoggerService {
  constructor(private readonly logger: Logger) {}

  log(message: unknown): void {
    this.logger.debug({}, String(message));
  }

  error(message: unknown, ...rest: unknown[]): void {
    this.logger.error({ details: rest.map(String) }, String(message));
  }

  warn(message: unknown): void {
    this.logger.warn({}, String(message));
  }

  debug(message: unknown): void {
    this.logger.debug({}, String(message));
  }

  verbose(message: unknown): void {
    this.logger.trace({}, String(message));
  }
}
