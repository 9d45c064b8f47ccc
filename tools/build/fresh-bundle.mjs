import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const SHARED_INPUTS = [
  '.swcrc',
  'tsconfig.base.json',
  'package-lock.json',
  'tools/build/bundle.mjs',
  'tools/build/dto-properties.cjs',
];

/**
 * Bundles `main` (tools/<name>/src/main.ts), the `entries` of the same folder and the main modules of `services` into
 * dist/tools/<name>, unless no input of the last bundle has changed. Returns the URL to import, which runs the tool in this
 * process.
 */
export async function freshBundle({ root, name, main = `tools/${name}/src/main.ts`, entries = [], services = [] }) {
  const outdir = path.join(root, 'dist/tools', name);
  const output = path.join(outdir, 'main.js');
  const stampFile = path.join(outdir, 'inputs.json');
  const entryPoints = { main: path.join(root, main) };
  for (const entry of entries) entryPoints[entry] = path.join(root, 'tools', name, 'src', `${entry}.ts`);
  for (const service of services) entryPoints[service] = path.join(root, 'apps', service, 'src/main.ts');
  if (!(await isFresh(root, output, stampFile))) await build(root, entryPoints, outdir, stampFile);
  return pathToFileURL(output).href;
}

async function isFresh(root, output, stampFile) {
  try {
    const stamp = JSON.parse(await readFile(stampFile, 'utf8'));
    await stat(output);
    const marks = await Promise.all(Object.keys(stamp).map((file) => markOf(root, file)));
    return Object.values(stamp).every((mark, index) => mark === marks[index]);
  } catch {
    return false;
  }
}

async function markOf(root, file) {
  const { mtimeMs, size } = await stat(path.join(root, file));
  return `${mtimeMs}:${size}`;
}

async function build(root, entryPoints, outdir, stampFile) {
  const { bundle } = await import('./bundle.mjs');
  // Built in a temporary folder and renamed, because another process may read or write the same bundle.
  const aside = `${outdir}.${process.pid}`;
  await mkdir(outdir, { recursive: true });
  try {
    const startedAt = Date.now();
    const { inputs } = await bundle({ root, entryPoints, outdir: aside });
    const marks = {};
    for (const file of [...SHARED_INPUTS, ...inputs]) {
      const { mtimeMs } = await stat(path.join(root, file));
      // A file that was saved during the build may or may not be in the bundle.
      marks[file] = mtimeMs >= startedAt ? 'changed during the build' : await markOf(root, file);
    }
    for (const file of await readdir(aside, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const target = path.join(outdir, path.relative(aside, file.parentPath), file.name);
      await mkdir(path.dirname(target), { recursive: true });
      await rename(path.join(file.parentPath, file.name), target);
    }
    await writeFile(stampFile, JSON.stringify(marks));
  } finally {
    await rm(aside, { recursive: true, force: true });
  }
}
