import path from 'node:path';
import { buildWidget } from './build-widget.mjs';

/** Folders that code of ours reads beside its bundle, by the module that reads them. */
const COMPANIONS = {
  'libs/bots/widget/src/widget-assets.ts': { folder: 'widget', build: buildWidget },
};

/**
 * Puts beside a bundle the folders that code within it reads. Resolves with the files that went into them, relative to
 * `root`.
 */
export async function buildCompanions({ root, outdir, metafile }) {
  const bundled = new Set(Object.keys(metafile.inputs).map((file) => path.relative(root, path.resolve(file))));
  const inputs = [];
  for (const [reader, { folder, build }] of Object.entries(COMPANIONS)) {
    if (bundled.has(reader)) inputs.push(...(await build({ root, outdir: path.join(outdir, folder) })));
  }
  return inputs;
}
