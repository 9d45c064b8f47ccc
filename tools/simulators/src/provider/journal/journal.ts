import { closeSync, existsSync, ftruncateSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { JournalState, type JournalEntry } from './journal-state';

const FILE = 'journal.jsonl';
/** The file is compacted when it exceeds this size and twice its size after the last compaction. */
const COMPACTION_BYTES = 64 * 1_024 * 1_024;
const ENTRIES_PER_WRITE = 1_000;

/**
 * A log of changes in a file of JSON lines. A line is passed to the operating system before the call returns, so a crash of
 * the process loses at most the line that is being written.
 */
export class Journal {
  private fd: number | null = null;
  private bytes = 0;
  private maxBytes = COMPACTION_BYTES;
  private waiting: JournalEntry[] = [];

  /** `currentState` returns the entries to write when the file is compacted. */
  constructor(
    private readonly folder: string,
    private readonly currentState: () => Iterable<JournalEntry>,
  ) {}

  /** Reads the file. Nothing can be appended before `begin`, which must be called after the state was restored. */
  async read(): Promise<JournalState> {
    await mkdir(this.folder, { recursive: true });
    const content = existsSync(this.file) ? await readFile(this.file) : Buffer.alloc(0);
    const state = new JournalState();
    let number = 0;
    for (const line of completeLinesOf(content)) {
      number += 1;
      try {
        state.add(line);
      } catch (error) {
        throw new Error(
          `Line ${number} of ${this.file} is not an entry of the provider simulator. Delete the file to start without it, or use another dataDir.`,
          { cause: error },
        );
      }
    }
    return state;
  }

  /** Compacts the file and accepts entries from now on. */
  begin(): void {
    const draft = `${this.file}.new`;
    rmSync(draft, { force: true });
    const fd = openSync(draft, 'a');
    let bytes = 0;
    try {
      for (const batch of batchesOf(this.currentState())) bytes += write(fd, batch, bytes);
      renameSync(draft, this.file);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
    this.close();
    this.fd = fd;
    this.bytes = bytes;
    this.waiting = [];
    this.maxBytes = Math.max(COMPACTION_BYTES, 2 * bytes);
  }

  /** Call this after the change itself: appending may compact the file from the current state. */
  append(entry: JournalEntry): void {
    this.waiting.push(entry);
    this.flush();
  }

  /** For frequent entries: all entries of one turn of the event loop are written together. */
  appendSoon(entry: JournalEntry): void {
    if (this.fd === null) throw notStarted();
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
    if (this.fd === null) throw notStarted();
    this.bytes += write(this.fd, entries, this.bytes);
    if (this.bytes > this.maxBytes) this.begin();
  }

  private close(): void {
    if (this.fd !== null) closeSync(this.fd);
    this.fd = null;
  }
}

/** Returns the number of written bytes. */
function write(fd: number, entries: readonly JournalEntry[], endOfFile: number): number {
  const content = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  try {
    writeFileSync(fd, content);
  } catch (error) {
    // The next entry must not continue a line that a full disk truncated.
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

/** The complete lines. Splits by bytes: JSON may contain characters that readline treats as line ends. */
function* completeLinesOf(content: Buffer): Generator<string> {
  let from = 0;
  for (;;) {
    const end = content.indexOf('\n', from);
    if (end < 0) return;
    yield content.toString('utf8', from, end);
    from = end + 1;
  }
}

function notStarted(): Error {
  return new Error('A provider simulator with a dataDir must be started before it is used.');
}
