import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Journal } from '../journal/journal';
import type { RememberedMedia } from '../journal/remembered';
import { receiveUpload, type ReceivedFile, type ReceivedUpload } from './receive-upload';

const FILES_KEPT = 2_000;
const BYTES_KEPT = 2 * 1_024 ** 3;
const MEDIA_LIFE_MS = 30 * 24 * 3_600_000;
const LINK_LIFE_MS = 5 * 60_000;

export interface StoredMedia extends ReceivedFile {
  id: string;
  /** What the upload said that it is. */
  type: string;
  /** The number under which it was uploaded. */
  owner: string;
  uploadedAtMs: number;
}

export interface MediaStoreOptions {
  /** The number under which everything is uploaded. */
  owner: string;
  /** Where the files outlive a restart; null: they are temporary. */
  folder: string | null;
  /** Null where nothing is remembered. */
  journal: Journal | null;
  nowMs(): number;
}

/** What a link of the lookup's answer says. */
export interface MediaLink {
  mid: string;
  /** Unix milliseconds. */
  ext: string;
  hash: string;
}

/** Uploads in files, the newest of them. An id lives thirty days, a link to the bytes five minutes. */
export class MediaStore {
  private readonly media = new LRUCache<string, StoredMedia>({
    max: FILES_KEPT,
    maxSize: BYTES_KEPT,
    sizeCalculation: ({ size }) => size + 1,
    dispose: ({ path: file }) => this.forget(file),
  });
  private readonly linkSecret = randomBytes(32);
  private readonly deletions = new Set<Promise<void>>();
  private folder: Promise<string> | null = null;
  private nextId = randomInt(10 ** 11, 10 ** 12) * 1_000;

  constructor(private readonly options: MediaStoreOptions) {}

  /** Uploads of before a restart, oldest first; of what does not count any more the files are deleted. */
  async restore(remembered: readonly RememberedMedia[]): Promise<void> {
    const folder = await this.open();
    const files = new Set(await readdir(folder));
    for (const { file, ...media } of remembered) {
      if (this.media.has(media.id) || !files.has(file)) continue;
      this.media.set(media.id, { ...media, path: path.join(folder, file) });
    }
    for (const { file } of this.remembered()) files.delete(file);
    for (const file of files) this.forget(path.join(folder, file));
    await Promise.all(this.deletions);
  }

  /** Oldest first. */
  remembered(): RememberedMedia[] {
    const all = [...this.media.rvalues()].filter((media) => media !== undefined);
    return all.filter((media) => this.isAlive(media)).map(toRemember);
  }

  /** Throws a GraphError when the form is broken or the file too big. */
  async receive(request: IncomingMessage): Promise<ReceivedUpload> {
    return receiveUpload(request, path.join(await this.open(), randomBytes(12).toString('hex')));
  }

  /** Gives what was received an id. */
  keep(file: ReceivedFile, type: string): StoredMedia {
    const { owner, journal, nowMs } = this.options;
    const media = { ...file, id: String(this.nextId++), type, owner, uploadedAtMs: nowMs() };
    this.media.set(media.id, media);
    journal?.append({ media: toRemember(media) });
    return media;
  }

  /** Deletes what was received and gets no id. */
  discard({ file }: ReceivedUpload): void {
    if (file) this.forget(file.path);
  }

  find(id: string): StoredMedia | undefined {
    const media = this.media.peek(id);
    return media && this.isAlive(media) ? media : undefined;
  }

  delete(id: string): boolean {
    const deleted = this.media.delete(id);
    if (deleted) this.options.journal?.append({ deletedMedia: { id } });
    return deleted;
  }

  linkTo(id: string): MediaLink {
    const ext = String(this.options.nowMs() + LINK_LIFE_MS);
    return { mid: id, ext, hash: this.hashOf(id, ext) };
  }

  /** What the link leads to; `expired` after five minutes. */
  follow({ mid, ext, hash }: MediaLink): StoredMedia | 'expired' | undefined {
    const [actual, expected] = [Buffer.from(hash), Buffer.from(this.hashOf(mid, ext))];
    if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
    return this.options.nowMs() > Number(ext) ? 'expired' : this.find(mid);
  }

  /** Deletes all temporary files. */
  async stop(): Promise<void> {
    if (this.options.folder === null) this.media.clear();
    await Promise.all(this.deletions);
    const folder = await this.folder;
    this.folder = null;
    if (folder && this.options.folder === null) await rm(folder, { recursive: true, force: true });
  }

  private open(): Promise<string> {
    this.folder ??= folderOf(this.options.folder);
    return this.folder;
  }

  private isAlive({ uploadedAtMs }: { uploadedAtMs: number }): boolean {
    return this.options.nowMs() - uploadedAtMs < MEDIA_LIFE_MS;
  }

  private hashOf(id: string, ext: string): string {
    return createHmac('sha256', this.linkSecret).update(`${id} ${ext}`).digest('base64url');
  }

  private forget(file: string): void {
    const deletion = unlink(file)
      // Somebody who empties the temporary folder is no event here.
      .catch(() => undefined)
      .finally(() => this.deletions.delete(deletion));
    this.deletions.add(deletion);
  }
}

/** Where files are kept, made where it is missing. */
async function folderOf(folder: string | null): Promise<string> {
  if (folder === null) return mkdtemp(path.join(tmpdir(), 'heliograph-media-'));
  await mkdir(folder, { recursive: true });
  return folder;
}

function toRemember({ path: file, ...media }: StoredMedia): RememberedMedia {
  return { ...media, file: path.basename(file) };
}
