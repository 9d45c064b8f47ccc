import { cp, readdir } from 'node:fs/promises';
import path from 'node:path';
import { buildConsole } from './build-console.mjs';
import { buildWidget } from './build-widget.mjs';

/** Folders that modules read at run time, by the module. */
const RUNTIME_ASSETS = {
  'libs/bots/widget/src/widget-assets.ts': { folder: 'widget', build: buildWidget },
  'apps/account-api/src/console/console-folder.ts': { folder: 'console', build: buildConsole },
  'apps/account-api/src/developer/reference/guides-folder.ts': { folder: 'guides', build: copyGuides },
};

const GUIDES = 'docs/guides';
const CHANGELOG = 'CHANGELOG.md';

/** Resolves with the copied files, relative to `root`. */
async function copyGuides({ root, outdir }) {
  await cp(path.join(root, GUIDES), outdir, { recursive: true });
  const guides = (await readdir(outdir)).filter((name) => name !== CHANGELOG);
  await cp(path.join(root, CHANGELOG), path.join(outdir, CHANGELOG));
  return [...guides.map((name) => `${GUIDES}/${name}`), CHANGELOG];
}

/**
 * Copies the folders that bundled modules read at run time next to the bundle. Resolves with the copied files, relative
 * to `root`.
 */
export async function buildRuntimeAssets({ root, outdir, metafile }) {
  const bundled = new Set(Object.keys(metafile.inputs).map((file) => path.relative(root, path.resolve(file))));
  const inputs = [];
  for (const [reader, { folder, build }] of Object.entries(RUNTIME_ASSETS)) {
    if (bundled.has(reader)) inputs.push(...(await build({ root, outdir: path.join(outdir, folder) })));
  }
  return inputs;
}
