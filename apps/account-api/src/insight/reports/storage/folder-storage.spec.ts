import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { FolderStorage } from './folder-storage';

const MB = 1024 * 1024;
const KEY = 'organization/report.csv';

describe('FolderStorage', () => {
  let folder: string;
  let storage: FolderStorage;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'reports-'));
    storage = new FolderStorage(folder);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const files = () => readdir(path.join(folder, 'organization'));
  const contentOf = async () => text((await storage.read(KEY)) as Readable);

  it('shows a file when it is complete', async () => {
    const file = await storage.open(KEY, null);
    expect(await file.append(Buffer.from('one '))).toBeNull();
    expect(await storage.read(KEY)).toBeNull();
    await file.append(Buffer.from('two'));
    await file.finish();
    await file.close(true);
    expect([await contentOf(), file.bytes, await files()]).toEqual(['one two', 7, ['report.csv']]);
  });

  it('continues behind what was durable, even if the process that began the file still writes', async () => {
    const first = await storage.open(KEY, null);
    await first.append(Buffer.alloc(3 * MB, 'a'));
    const state = await first.append(Buffer.alloc(2 * MB, 'b'));
    expect(state).toEqual({ name: expect.stringMatching(/\.part$/) as string, bytes: 5 * MB, etags: [] });
    await first.append(Buffer.from('lost'));
    const second = await storage.open(KEY, state);
    expect([second.continuedBytes, second.bytes]).toEqual([5 * MB, 5 * MB]);
    await first.append(Buffer.from('late'));
    await second.append(Buffer.from('end'));
    await second.finish();
    await Promise.all([first.close(true), second.close(true)]);
    expect((await contentOf()).slice(3 * MB - 1).replace(/b+/, 'b')).toBe('abend');
    expect(await files()).toEqual(['report.csv']);
  });

  it('keeps the durable part for another process, and nothing without one', async () => {
    const file = await storage.open(KEY, null);
    await file.append(Buffer.from('x'));
    await file.close(true);
    expect(await files()).toEqual([]);
    for (const isRetained of [false, true]) {
      const long = await storage.open(KEY, null);
      await long.append(Buffer.alloc(5 * MB));
      await long.close(isRetained);
      expect(await files()).toHaveLength(isRetained ? 1 : 0);
    }
    await storage.remove(KEY);
    expect(await files()).toEqual([]);
  });
});
