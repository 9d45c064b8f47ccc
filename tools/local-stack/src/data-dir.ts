import { mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commandOf, isAlive, waitForEnd } from './processes';
import { UsageError } from './stack.config';

/** How long a stack that is just stopping is waited for. */
const HAND_OVER_MS = 8_000;
const MAX_LOG_BYTES = 20_000_000;

/** What `npm run provision` and others find the running stack by. */
export interface StackFile {
  pid: number;
  databaseUrl: string;
  keyPrefix: string;
  gatewayUrl: string;
  controlUrl: string;
}

/** The folder of one local stack, claimed by one process at a time. */
export class DataDir {
  private constructor(private readonly folder: string) {}

  /** Throws a UsageError when another stack is running in it. */
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
          `A local stack is already running in ${folder} (process ${holder}). End it, or set another DATA_DIR and PORT.`,
        );
      }
      await rm(lock, { force: true });
    }
  }

  get stackFile(): string {
    return path.join(this.folder, 'stack.json');
  }

  /** What the platform simulator remembers. */
  get platformFolder(): string {
    return path.join(this.folder, 'platform');
  }

  logFile(name: string): string {
    return path.join(this.folder, 'logs', `${name}.log`);
  }

  /** Removes what a stack puts there and nothing else: nobody loses a folder to a DATA_DIR that was mistyped. */
  async reset(databaseFolder: string | null): Promise<void> {
    const own = ['postgres', 'platform', 'logs', 'stack.json'].map((name) => path.join(this.folder, name));
    const folders = databaseFolder === null ? own : [...own, databaseFolder];
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
    await mkdir(path.join(this.folder, 'logs'));
  }

  /** Keeps one older file of each log, so that they do not grow for ever. */
  async rotateLogs(names: readonly string[]): Promise<void> {
    for (const file of names.map((name) => this.logFile(name))) {
      const { size } = await stat(file).catch(() => ({ size: 0 }));
      if (size > MAX_LOG_BYTES) await rename(file, `${file}.1`);
    }
  }

  /** For the owner alone: a database address may hold a password. */
  async publish(stack: StackFile): Promise<void> {
    await rm(this.stackFile, { force: true });
    await writeFile(this.stackFile, `${JSON.stringify(stack, null, 2)}\n`, { mode: 0o600 });
  }

  async release(): Promise<void> {
    await rm(this.stackFile, { force: true });
    await rm(path.join(this.folder, 'stack.pid'), { force: true });
  }
}
