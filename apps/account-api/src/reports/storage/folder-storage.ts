import { createWriteStream } from 'node:fs';
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { newId } from '@heliograph/database';
import type { ReportStorage } from './report-storage';

/** Partial files of crashed processes are deleted after this time. */
const ABANDONED_MS = 24 * 60 * 60_000;

/** Stores report files in a folder that all processes share. */
export class FolderStorage implements ReportStorage {
  constructor(private readonly folder: string) {}

  async write(key: string, content: Readable): Promise<void> {
    const file = this.pathOf(key);
    const unfinished = `${file}.${newId()}.part`;
    await mkdir(path.dirname(file), { recursive: true });
    await this.removeAbandoned(path.dirname(file));
    try {
      await pipeline(content, createWriteStream(unfinished, { mode: 0o600, flush: true }));
      await rename(unfinished, file);
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
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
    await rm(this.pathOf(key), { force: true });
  }

  private async removeAbandoned(folder: string): Promise<void> {
    for (const name of await readdir(folder)) {
      if (!name.endsWith('.part')) continue;
      const file = path.join(folder, name);
      const changed = await stat(file).catch(() => null);
      if (changed && Date.now() - changed.mtimeMs > ABANDONED_MS) await rm(file, { force: true });
    }
  }

  private pathOf(key: string): string {
    return path.join(this.folder, key);
  }
}
