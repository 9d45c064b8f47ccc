import { closeSync, existsSync, ftruncateSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Remembered, type JournalEntry } from './remembered';

const FILE = 'journal.jsonl';
/** It is written anew when it is past this, and twice what it was the last time. */
const OVERGROWN_BYTES = 64 * 1_024 * 1_024;
const ENTRIES_PER_WRITE = 1_000;

/**
 * What happened, in a file of JSON lines. A line is with the operating system before the call returns, so that the end
 * of the process, however sudden, costs the one that was being written.
 */
export class Journal {
  private fd: number | null = null;
  private bytes = 0;
  private maxBytes = OVERGROWN_BYTES;
  private waiting: JournalEntry[] = [];

  /** `whatCounts` is asked when the file is written anew: what need not be remembered is not in it. */
  constructor(
    private readonly folder: string,
    private readonly whatCounts: () => Iterable<JournalEntry>,
  ) {}

  /** Nothing can be appended yet: `begin` comes when what was read is where it belongs. */
  async read(): Promise<Remembered> {
    await mkdir(this.folder, { recursive: true });
    const content = existsSync(this.file) ? await readFile(this.file) : Buffer.alloc(0);
    const remembered = new Remembered();
    let number = 0;
    for (const line of wholeLinesOf(content)) {
      number += 1;
      try {
        remembered.add(line);
      } catch (error) {
        throw new Error(
          `Line ${number} of ${this.file} is not what the platform simulator writes. Delete that file to start without it, or take another dataDir.`,
          { cause: error },
        );
      }
    }
    return remembered;
  }

  /** Writes the file anew and takes entries from then on. */
  begin(): void {
    const draft = `${this.file}.new`;
    rmSync(draft, { force: true });
    const fd = openSync(draft, 'a');
    let bytes = 0;
    try {
      for (const batch of batchesOf(this.whatCounts())) bytes += write(fd, batch, bytes);
      renameSync(draft, this.file);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    this.close();
    this.fd = fd;
    this.bytes = bytes;
    this.waiting = [];
    this.maxBytes = Math.max(OVERGROWN_BYTES, 2 * bytes);
  }

  /** Comes after the change itself: the file may be written anew from what there is. */
  append(entry: JournalEntry): void {
    this.waiting.push(entry);
    this.flush();
  }

  /** For what is many and hot: written with all others of this turn of the event loop. */
  appendSoon(entry: JournalEntry): void {
    if (this.fd === null) throw notBegun();
    if (this.waiting.push(entry) === 1) setImmediate(() => this.flush());
  }

  end(): void {
    if (this.fd !== null) this.flush();
    this.close();
  }

  private get file(): string {
    return path.join(this.folder, FILE);
  }

  private flush(): void {
    const entries = this.waiting;
    this.waiting = [];
    if (entries.length === 0) return;
    if (this.fd === null) throw notBegun();
    this.bytes += write(this.fd, entries, this.bytes);
    if (this.bytes > this.maxBytes) this.begin();
  }

  private close(): void {
    if (this.fd !== null) closeSync(this.fd);
    this.fd = null;
  }
}

/** Answers with how many bytes they are. */
function write(fd: number, entries: readonly JournalEntry[], endOfFile: number): number {
  const content = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  try {
    writeFileSync(fd, content);
  } catch (error) {
    // What follows must not stand in the line that a full disk has cut off.
    ftruncateSync(fd, endOfFile);
    throw error;
  }
  return content.length;
}

function* batchesOf(entries: Iterable<JournalEntry>): Generator<JournalEntry[]> {
  let batch: JournalEntry[] = [];
  for (const entry of entries) {
    if (batch.push(entry) < ENTRIES_PER_WRITE) continue;
    yield batch;
    batch = [];
  }
  yield batch;
}

/** Without a last one that was cut off. By bytes: what readline takes for the end of a line may stand in JSON. */
function* wholeLinesOf(content: Buffer): Generator<string> {
  let from = 0;
  for (;;) {
    const end = content.indexOf('\n', from);
    if (end < 0) return;
    yield content.toString('utf8', from, end);
    from = end + 1;
  }
}

function notBegun(): Error {
  return new Error('With a dataDir the platform simulator remembers from its start to its stop; start it first.');
}
