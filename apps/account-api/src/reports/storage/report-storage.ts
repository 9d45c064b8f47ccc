import type { Readable } from 'node:stream';

/** What is durable of an unfinished file, so that another process can continue it. */
export interface FileState {
  /** The part file of a folder, or the upload of an object storage. */
  name: string;
  bytes: number;
  /** The parts of an upload, in their order. */
  etags: string[];
}

/** A file that is being written. It is visible to readers only after `finish`. */
export interface UnfinishedFile {
  /** Durable bytes of an earlier run; the next ones follow them. 0: the file begins anew. */
  readonly continuedBytes: number;
  /** All bytes, with those of the earlier run. */
  readonly bytes: number;
  /** Resolves with the state from which the file can be continued after this content; null: not after this content. */
  append(content: Buffer): Promise<FileState | null>;
  /** Makes the file complete and visible, in place of an earlier one. */
  finish(): Promise<void>;
  /** Releases what this process holds. `isKept`: what is durable of an unfinished file remains, for a process that continues. */
  close(isKept: boolean): Promise<void>;
}

/** Where report files are stored. A file is complete or absent. */
export interface ReportStorage {
  /** Continues the file of an earlier run; begins a new one without a state, or if its durable part is lost. */
  open(key: string, state: FileState | null): Promise<UnfinishedFile>;
  /** Null if there is no such file. */
  read(key: string): Promise<Readable | null>;
  /** Removes the file, and what is stored of an unfinished one. */
  remove(key: string, state: FileState | null): Promise<void>;
}

export const REPORT_STORAGE = Symbol('ReportStorage');
