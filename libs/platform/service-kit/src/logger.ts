import type { LoggerService } from '@nestjs/common';
import pino, { type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

/**
 * One JSON line per entry. Database errors carry statements, parameters and row contents: none of that is written,
 * nor any header that holds a secret.
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

/** Nest's own messages, as entries of ours. What it says at start-up is for developers. */
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
