// Bundles a tool of this repository into dist/tools/<name> and gives its entry points.
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Bundles `tools/<tool>/src/<entry>.ts` for each entry; answers the folder that holds them. */
export async function bundleTool(tool, entries) {
  const { bundle } = await import('./build/bundle.mjs');
  const outdir = path.join(root, 'dist/tools', tool);
  const entryPoints = Object.fromEntries(
    entries.map((entry) => [entry, path.join(root, 'tools', tool, 'src', `${entry}.ts`)]),
  );
  await bundle({ root, entryPoints, outdir });
  return outdir;
}
