import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { mkdtemp, rm, unlink } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LRUCache } from 'lru-cache';
import { receiveUpload, type ReceivedFile, type ReceivedUpload } from './receive-upload';

const FILES_KEPT = 2_000;
const BYTES_KEPT = 2 * 1_024 ** 3;
const MEDIA_LIFE_MS = 30 * 24 * 3_600_000;
const LINK_LIFE_MS = 5 * 60_000;

export interface StoredMedia extends ReceivedFile {
  id: string;
  /** What the upload said that it is. */
  type: string;
  uploadedAtMs: number;
}

/** What a link of the lookup's answer says. */
export interface MediaLink {
  mid: string;
  /** Unix milliseconds. */
  ext: string;
  hash: string;
}

/** Uploads in temporary files, the newest of them. An id lives thirty days, a link to the bytes five minutes. */
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

  constructor(private readonly nowMs: () => number) {}

  /** Throws a GraphError when the form is broken or the file too big. */
  async receive(request: IncomingMessage): Promise<ReceivedUpload> {
    this.folder ??= mkdtemp(path.join(tmpdir(), 'heliograph-media-'));
    return receiveUpload(request, path.join(await this.folder, randomBytes(12).toString('hex')));
  }

  /** Gives what was received an id. */
  keep(file: ReceivedFile, type: string): StoredMedia {
    const media = { ...file, id: String(this.nextId++), type, uploadedAtMs: this.nowMs() };
    this.media.set(media.id, media);
    return media;
  }

  /** Deletes what was received and gets no id. */
  discard({ file }: ReceivedUpload): void {
    if (file) this.forget(file.path);
  }

  find(id: string): StoredMedia | undefined {
    const media = this.media.peek(id);
    return media && this.nowMs() - media.uploadedAtMs < MEDIA_LIFE_MS ? media : undefined;
  }

  delete(id: string): boolean {
    return this.media.delete(id);
  }

  linkTo(id: string): MediaLink {
    const ext = String(this.nowMs() + LINK_LIFE_MS);
    return { mid: id, ext, hash: this.hashOf(id, ext) };
  }

  /** What the link leads to; `expired` after five minutes. */
  follow({ mid, ext, hash }: MediaLink): StoredMedia | 'expired' | undefined {
    const [actual, expected] = [Buffer.from(hash), Buffer.from(this.hashOf(mid, ext))];
    if (actual.length !== expected.length || !timingSafeEqual(actual, expected)) return undefined;
    return this.nowMs() > Number(ext) ? 'expired' : this.find(mid);
  }

  /** Deletes all files. */
  async stop(): Promise<void> {
    this.media.clear();
    await Promise.all(this.deletions);
    const folder = await this.folder;
    this.folder = null;
    if (folder) await rm(folder, { recursive: true, force: true });
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
