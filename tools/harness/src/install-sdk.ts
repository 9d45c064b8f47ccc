import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { build } from 'esbuild';

const root = path.join(__dirname, '../../..');

/** The Python SDK, for `PYTHONPATH`. */
export const PYTHON_SDK = path.join(root, 'sdk/python/src');

/** Makes `@heliograph/sdk` available to programs in a folder. tools/sdk/src/package.spec.ts tests the package itself. */
export async function installSdk(folder: string): Promise<void> {
  const target = path.join(folder, 'node_modules/@heliograph/sdk');
  mkdirSync(target, { recursive: true });
  writeFileSync(
    path.join(target, 'package.json'),
    JSON.stringify({ name: '@heliograph/sdk', type: 'module', exports: './index.js' }),
  );
  await build({
    entryPoints: [path.join(root, 'libs/sdk/src/index.ts')],
    outfile: path.join(target, 'index.js'),
    bundle: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
  });
}
