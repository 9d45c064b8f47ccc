import type { Readable } from 'node:stream';

/** Where report files are stored. A file is complete or absent. */
export interface ReportStorage {
  /** Stores a stream under the key. Resolves when it is durable; replaces an earlier file. */
  write(key: string, content: Readable): Promise<void>;
  /** Null if there is no such file. */
  read(key: string): Promise<Readable | null>;
  remove(key: string): Promise<void>;
}

export const REPORT_STORAGE = Symbol('ReportStorage');
