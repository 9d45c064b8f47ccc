import type { Readable } from 'node:stream';

/** The durable part of an unfinished file, from which another process can continue. */
export interface FileState {
  /** The part file of a folder, or the upload of an object storage. */
  name: string;
  bytes: number;
  /** The parts of an upload, in their order. */
  etags: string[];
}

/** A file that is being written. It is visible to readers only after `finish`. */
export interface UnfinishedFile {
  /** Number of durable bytes of an earlier run, which new bytes follow. 0: the file is written from the start. */
  readonly continuedBytes: number;
  /** Number of all bytes, including those of the earlier run. */
  readonly bytes: number;
  /** Resolves with the state from which the file can be continued after this content, or null if that is not possible. */
  append(content: Buffer): Promise<FileState | null>;
  /** Makes the file complete and visible, in place of an earlier one. */
  finish(): Promise<void>;
  /**
   * Releases the resources of this process. `isRetained`: the durable part of an unfinished file remains, so that another
   * process can continue it.
   */
  close(isRetained: boolean): Promise<void>;
}

/** Where report files are stored. A file is complete or absent. */
export interface ReportStorage {
  /** Continues the file of an earlier run; starts a new one if there is no state or the durable part is lost. */
  open(key: string, state: FileState | null): Promise<UnfinishedFile>;
  /** Null if the file does not exist. */
  read(key: string): Promise<Readable | null>;
  /** Removes the file and the stored part of an unfinished one. */
  remove(key: string, state: FileState | null): Promise<void>;
}

export const REPORT_STORAGE = Symbol('ReportStorage');
