import { copyFile, mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { newId } from '@heliograph/database';
import type { FileState, ReportStorage, UnfinishedFile } from './report-storage';

/** Partial files of crashed processes are deleted after this time. */
const ABANDONED_MS = 24 * 60 * 60_000;
/** Flushing after every batch would take longer than writing. */
const FLUSHED_BYTES = 4 * 1024 * 1024;

/** Stores report files in a folder that all processes share. */
export class FolderStorage implements ReportStorage {
  constructor(private readonly folder: string) {}

  async open(key: string, state: FileState | null): Promise<UnfinishedFile> {
    const file = this.pathOf(key);
    await mkdir(path.dirname(file), { recursive: true });
    await removeParts(path.dirname(file), (name, age) => age > ABANDONED_MS && name.endsWith('.part'));
    const part = `${file}.${newId()}.part`;
    const bytes =
      state === null ? 0 : await this.take(path.join(path.dirname(file), path.basename(state.name)), part, state);
    const handle = await open(part, bytes === 0 ? 'w' : 'a', 0o600);
    await handle.truncate(bytes);
    return new PartFile(file, part, handle, bytes);
  }

  async read(key: string): Promise<Readable | null> {
    try {
      return (await open(this.pathOf(key))).createReadStream();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw error;
    }
  }

  async remove(key: string): Promise<void> {
    const file = this.pathOf(key);
    await rm(file, { force: true });
    await removeParts(path.dirname(file), (name) => name.startsWith(`${path.basename(file)}.`));
  }

  /**
   * Copies the part file of an earlier run, which may still write to it although it has lost its lease. It remains until the
   * copy has a state of its own. Resolves with its durable bytes, 0 if they are lost.
   */
  private async take(earlier: string, part: string, { bytes }: FileState): Promise<number> {
    try {
      await copyFile(earlier, part);
      return (await stat(part)).size >= bytes ? bytes : 0;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
      throw error;
    }
  }

  private pathOf(key: string): string {
    return path.join(this.folder, key);
  }
}

class PartFile implements UnfinishedFile {
  bytes: number;
  private flushed: number;
  private isFinished = false;

  constructor(
    private readonly file: string,
    private readonly part: string,
    private readonly handle: FileHandle,
    readonly continuedBytes: number,
  ) {
    this.bytes = continuedBytes;
    this.flushed = continuedBytes;
  }

  async append(content: Buffer): Promise<FileState | null> {
    for (let written = 0; written < content.length;) {
      written += (await this.handle.write(content, written)).bytesWritten;
    }
    this.bytes += content.length;
    if (this.bytes - this.flushed < FLUSHED_BYTES) return null;
    await this.handle.datasync();
    this.flushed = this.bytes;
    return { name: path.basename(this.part), bytes: this.bytes, etags: [] };
  }

  async finish(): Promise<void> {
    await this.handle.sync();
    await rename(this.part, this.file);
    this.isFinished = true;
    // The parts of earlier runs.
    await removeParts(path.dirname(this.file), (name) => name.startsWith(`${path.basename(this.file)}.`));
  }

  async close(isRetained: boolean): Promise<void> {
    await this.handle.close();
    if (!this.isFinished && (!isRetained || this.flushed === 0)) await rm(this.part, { force: true });
  }
}

async function removeParts(folder: string, isRemoved: (name: string, ageMs: number) => boolean): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    const file = path.join(folder, name);
    const changed = await stat(file).catch(() => null);
    if (changed && isRemoved(name, Date.now() - changed.mtimeMs)) await rm(file, { force: true });
  }
}
