import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(__dirname, '../../../..');
const SOURCES = 'libs/bots/widget/src';
const BUILDER = 'tools/build/build-widget.mjs';

/**
 * Returns a folder with the widget, built from the current sources, for BOT_WIDGET_DIR. Its name is a hash of the
 * sources, so that later calls reuse it and concurrent builds are identical.
 */
export async function builtWidgetDirectory(): Promise<string> {
  const folder = path.join(root, 'tmp/widget', hashOfSources());
  if (existsSync(folder)) return folder;
  const aside = `${folder}.${process.pid}`;
  try {
    await promisify(execFile)(process.execPath, [path.join(root, BUILDER), aside], { cwd: root });
    renameSync(aside, folder);
  } catch (error) {
    // Another process has created the same folder.
    if (!existsSync(folder)) throw error;
  } finally {
    rmSync(aside, { recursive: true, force: true });
  }
  return folder;
}

function hashOfSources(): string {
  const sources = readdirSync(path.join(root, SOURCES), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:tsx?|css)$/.test(entry.name) && !entry.name.endsWith('.spec.ts'))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
  const hash = createHash('sha256');
  for (const file of [...sources.sort(), BUILDER, 'package-lock.json']) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(path.join(root, file)))
      .update('\0');
  }
  return hash.digest('hex').slice(0, 16);
}
