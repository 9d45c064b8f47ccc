import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

let made: Promise<string> | null = null;

/** Returns a folder with the files of the widget build, which are empty, for tests that do not load them. */
export function standInWidgetDirectory(): Promise<string> {
  return (made ??= make());
}

async function make(): Promise<string> {
  const folder = path.join(await mkdtemp(path.join(os.tmpdir(), 'heliograph-')), 'widget');
  await mkdir(folder);
  const names = { loader: 'widget.js', script: 'frame.0000000000000000.js', style: 'frame.0000000000000000.css' };
  for (const name of Object.values(names)) await writeFile(path.join(folder, name), '');
  await writeFile(path.join(folder, 'manifest.json'), JSON.stringify(names));
  return folder;
}
