import pino, { type DestinationStream, type Level } from 'pino';

const LEVELS: readonly string[] = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'];

/** Everything goes to the file; warnings, or the requested level, also to the terminal. */
export function serviceLog(file: string, level: string | undefined): DestinationStream {
  return pino.multistream([
    { level: 'trace', stream: pino.destination({ dest: file, sync: true }) },
    { level: isLevel(level) ? level : 'warn', stream: process.stdout },
  ]);
}

function isLevel(level: string | undefined): level is Level {
  return level !== undefined && LEVELS.includes(level);
}
