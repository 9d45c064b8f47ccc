import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commandOf, isAlive, waitForEnd } from './processes';
import { UsageError } from './stack.config';

/** Time limit for a stack that is stopping. */
const HAND_OVER_MS = 8_000;
const MAX_LOG_BYTES = 20_000_000;

/** Describes the running stack for `npm run provision` and other tools. */
export interface StackFile {
  pid: number;
  databaseUrl: string;
  keyPrefix: string;
  gatewayUrl: string;
  controlUrl: string;
}

/** The data folder of a local stack, locked by one process at a time. */
export class DataDir {
  private constructor(private readonly folder: string) {}

  /** Locks the folder. Throws a UsageError if another stack uses it. */
  static async claim(folder: string): Promise<DataDir> {
    await mkdir(path.join(folder, 'logs'), { recursive: true });
    const lock = path.join(folder, 'stack.pid');
    for (;;) {
      try {
        await writeFile(lock, String(process.pid), { flag: 'wx' });
        return new DataDir(folder);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
      }
      const holder = Number(await readFile(lock, 'utf8').catch(() => ''));
      const runs = holder > 0 && isAlive(holder) && (await commandOf(holder)).includes('start.mjs');
      if (runs && !(await waitForEnd(holder, HAND_OVER_MS))) {
        throw new UsageError(
          `A local stack is already running in ${folder} (process ${holder}). Stop it, or set another DATA_DIR and PORT.`,
        );
      }
      await rm(lock, { force: true });
    }
  }

  get stackFile(): string {
    return path.join(this.folder, 'stack.json');
  }

  /** The persistent state of the provider simulator. */
  get providerFolder(): string {
    return path.join(this.folder, 'platform');
  }

  logFile(name: string): string {
    return path.join(this.folder, 'logs', `${name}.log`);
  }

  /** Removes only what a stack creates, so that a mistyped DATA_DIR loses no other data. */
  async reset(databaseFolder: string | null): Promise<void> {
    const own = ['postgres', 'platform', 'reports', 'logs', 'stack.json'].map((name) => path.join(this.folder, name));
    const folders = databaseFolder === null ? own : [...own, databaseFolder];
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
    await mkdir(path.join(this.folder, 'logs'));
  }

  /** Retains one older file of each log, which limits their size. */
  async rotateLogs(names: readonly string[]): Promise<void> {
    for (const file of names.map((name) => this.logFile(name))) {
      const { size } = await stat(file).catch(() => ({ size: 0 }));
      if (size > MAX_LOG_BYTES) await rename(file, `${file}.1`);
    }
  }

  /** Readable by the owner only: a database URL may contain a password. */
  async publish(stack: StackFile): Promise<void> {
    await rm(this.stackFile, { force: true });
    await writeFile(this.stackFile, `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });
  }

  async release(): Promise<void> {
    await rm(this.stackFile, { force: true });
    await rm(path.join(this.folder, 'stack.pid'), { force: true });
  }
}
