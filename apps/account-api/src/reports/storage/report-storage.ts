import type { Readable } from 'node:stream';

/** The storage of report files. A file is either complete or absent. */
export interface ReportStorage {
  /** Stores a stream under the key and replaces an earlier file. Resolves when the file is durable. */
  write(key: string, content: Readable): Promise<void>;
  /** Opens a file; null if it does not exist. */
  read(key: string): Promise<Readable | null>;
  remove(key: string): Promise<void>;
}

export const REPORT_STORAGE = Symbol('ReportStorage');
