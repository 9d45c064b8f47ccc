import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/**
 * Writes one JSON line per entry. Statements, parameters and row contents of database errors and headers with secrets
 * are omitted.
 */
export function createLogger(service: string, level: string, destination?: DestinationStream): Logger {
  const options: pino.LoggerOptions = {
    level,
    base: { service },
    timestamp: pino.stdTimeFunctions.isoTime,
    serializers: { err: serializeError },
    redact: ['headers.authorization', 'headers["x-api-key"]', 'headers.cookie'],
  };
  return destination ? pino(options, destination) : pino(options);
}

const MAX_CAUSES = 3;

function serializeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const code: unknown = 'code' in error ? error.code : undefined;
  return {
    type: error.name,
    message: error.message,
    ...(typeof code === 'string' ? { code } : {}),
    stack: error.stack,
    ...(error.cause !== undefined && depth < MAX_CAUSES ? { cause: serializeError(error.cause, depth + 1) } : {}),
  };
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
