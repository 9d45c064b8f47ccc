import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { Injectable } from '@nestjs/common';
import { AppError } from '@heliograph/errors';
import { encodeBody, type EncodedBody } from '@heliograph/service-kit';
import { consoleFolder } from './console-folder';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
};

/** The names that tools/build/build-console.mjs gives. */
const ASSET = /^[\w-]+-[A-Z0-9]{8}\.(?:js|css)$/;

/**
 * Files are compressed at their first request, while a person waits. Quality 9 takes a twentieth of the time of 11; the files are
 * 4% larger.
 */
const BROTLI_QUALITY = 9;

export interface ConsoleFile {
  contentType: string;
  codings: EncodedBody;
}

/** The built files of the console, read and compressed at their first request. */
@Injectable()
export class ConsoleFiles {
  private readonly folder = consoleFolder();
  private readonly files = new Map<string, Promise<ConsoleFile>>();

  /** The page of every screen. Throws NOT_FOUND. */
  page(): Promise<ConsoleFile> {
    return this.read('index.html');
  }

  /** A script or stylesheet. Throws NOT_FOUND. */
  async asset(name: string): Promise<ConsoleFile> {
    if (!ASSET.test(name)) throw notFound();
    return this.read(`assets/${name}`);
  }

  private read(name: string): Promise<ConsoleFile> {
    const known = this.files.get(name);
    if (known) return known;
    const file = this.encode(name);
    this.files.set(name, file);
    // Only files that exist are kept, so that requests of other names need no memory.
    file.catch(() => this.files.delete(name));
    return file;
  }

  private async encode(name: string): Promise<ConsoleFile> {
    if (this.folder === undefined) {
      throw new AppError('NOT_FOUND', 'This build contains no console. Run npx nx build console.');
    }
    const body = await readFile(path.join(this.folder, name)).catch(() => undefined);
    if (!body) throw notFound();
    return {
      contentType: CONTENT_TYPES[path.extname(name)] ?? 'application/octet-stream',
      codings: await encodeBody(body, { brotliQuality: BROTLI_QUALITY }),
    };
  }
}

function notFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such file. Reload the page to get the current version of the console.');
}
