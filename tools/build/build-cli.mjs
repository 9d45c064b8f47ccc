// npm run cli:build [-- outdir]: builds the npm package of the command line: one file without dependencies.
import { chmod, copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** Builds the package into `outdir`. */
export async function buildCli({ root, outdir }) {
  const source = path.join(root, 'apps/cli');
  const outfile = path.join(outdir, 'heliograph.mjs');
  await rm(outdir, { recursive: true, force: true });
  await mkdir(outdir, { recursive: true });
  await build({
    entryPoints: [path.join(source, 'src/main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    legalComments: 'none',
    alias: {
      '@heliograph/sdk/definitions': path.join(root, 'libs/sdk/src/generated/definitions.ts'),
      '@heliograph/sdk': path.join(root, 'libs/sdk/src/index.ts'),
    },
    // Packages in CommonJS load modules of Node.js.
    banner: {
      js: "#!/usr/bin/env node\nimport { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  await chmod(outfile, 0o755);
  await copyFile(path.join(source, 'README.md'), path.join(outdir, 'README.md'));
  const manifest = {
    name: '@heliograph/cli',
    version: '1.0.0',
    description: 'Command line of the Heliograph messaging APIs',
    license: 'UNLICENSED',
    type: 'module',
    bin: { heliograph: './heliograph.mjs' },
    files: ['heliograph.mjs', 'README.md'],
    engines: { node: '>=20' },
  };
  await writeFile(path.join(outdir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return outfile;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = path.resolve(import.meta.dirname, '../..');
  console.log(await buildCli({ root, outdir: path.resolve(process.argv[2] ?? path.join(root, 'dist/cli')) }));
}
