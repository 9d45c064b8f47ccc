import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import type { Journal } from '../journal/journal';
import type { JournaledMedia } from '../journal/journal-state';
import { receiveUpload, type ReceivedFile, type ReceivedUpload } from './receive-upload';

const FILES_KEPT = 2_000;
const BYTES_KEPT = 2 * 1_024 ** 3;
const MEDIA_LIFE_MS = 30 * 24 * 3_600_000;
const LINK_LIFE_MS = 5 * 60_000;

export interface StoredMedia extends ReceivedFile {
  id: string;
  /** The media type that the upload stated. */
  type: string;
  /** The id of the phone number that uploaded it. */
  owner: string;
  uploadedAtMs: number;
}

export interface MediaStoreOptions {
  /** The id of the phone number that uploads. */
  owner: string;
  /** The folder in which files survive a restart; null for temporary files. */
  folder: string | null;
  /** Null without persistence. */
  journal: Journal | null;
  nowMs(): number;
}

/** The parameters of a download link. */
export interface MediaLink {
  mid: string;
  /** Unix milliseconds. */
  ext: string;
  hash: string;
}

/** The newest uploads, stored in files. An id is valid for thirty days, a download link for five minutes. */
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

  /** Restores uploads after a restart, oldest first. Deletes the files of expired uploads. */
  async restore(entries: readonly JournaledMedia[]): Promise<void> {
    const folder = await this.open();
    const files = new Set(await readdir(folder));
    for (const { file, ...media } of entries) {
      if (this.media.has(media.id) || !files.has(file)) continue;
      this.media.set(media.id, { ...media, path: path.join(folder, file) });
    }
    for (const { file } of this.snapshot()) files.delete(file);
    for (const file of files) this.forget(path.join(folder, file));
    await Promise.all(this.deletions);
  }

  /** Oldest first. */
  snapshot(): JournaledMedia[] {
    const all = [...this.media.rvalues()].filter((media) => media !== undefined);
    return all.filter((media) => this.isAlive(media)).map(toJournal);
  }

  /** Throws a GraphError if the form is malformed or the file too large. */
  async receive(request: IncomingMessage): Promise<ReceivedUpload> {
    return receiveUpload(request, path.join(await this.open(), randomBytes(12).toString('hex')));
  }

  /** Stores a received file under a new id. */
  keep(file: ReceivedFile, type: string): StoredMedia {
    const { owner, journal, nowMs } = this.options;
    const media = { ...file, id: String(this.nextId++), type, owner, uploadedAtMs: nowMs() };
    this.media.set(media.id, media);
    journal?.append({ media: toJournal(media) });
    return media;
  }

  /** Deletes a received file that is not stored. */
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

  /** The media of a link; `expired` after five minutes. */
  follow({ mid, ext, hash }: MediaLink): StoredMedia | 'expired' | undefined {
    const actual = Buffer.from(hash);
    const expected = Buffer.from(this.hashOf(mid, ext));
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
      // The file may have been deleted already.
      .catch(() => undefined)
      .finally(() => this.deletions.delete(deletion));
    this.deletions.add(deletion);
  }
}

/** The folder of the files, created if it does not exist. */
async function folderOf(folder: string | null): Promise<string> {
  if (folder === null) return mkdtemp(path.join(tmpdir(), 'heliograph-media-'));
  await mkdir(folder, { recursive: true });
  return folder;
}

function toJournal({ path: file, ...media }: StoredMedia): JournaledMedia {
  return { ...media, file: path.basename(file) };
}
