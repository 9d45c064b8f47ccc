// npm run sdk:build [-- outdir]: builds the npm package of the TypeScript SDK, and packs it into the folder `packages` beside it.
// esm/ and cjs/ contain one file per module, so that bundlers leave out what is not used.
import { spawnSync } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const FORMATS = {
  esm: ['--module', 'esnext'],
  cjs: ['--module', 'commonjs'],
};
/** A relative import or export of another module of the package. */
const RELATIVE = /((?:from|import)\s*\(?\s*['"])(\.\.?\/[^'"]+?)(['"])/g;

/** Builds the package into `outdir`. Throws with the output of the compiler if it does not compile. */
export async function buildSdk({ root, outdir }) {
  const source = path.join(root, 'libs/sdk');
  await rm(outdir, { recursive: true, force: true });
  for (const [format, options] of Object.entries(FORMATS)) {
    const folder = path.join(outdir, format);
    compile(root, source, folder, options);
    await completeImports(folder);
  }
  await writeFile(path.join(outdir, 'cjs/package.json'), '{"type":"commonjs","sideEffects":false}\n');
  // For compilers that do not read `exports`.
  await mkdir(path.join(outdir, 'definitions'));
  const paths = {
    main: '../cjs/generated/definitions.js',
    types: '../cjs/generated/definitions.d.ts',
  };
  await writeFile(path.join(outdir, 'definitions/package.json'), `${JSON.stringify(paths)}\n`);
  for (const file of ['package.json', 'README.md'])
    await copyFile(path.join(source, 'npm', file), path.join(outdir, file));
}

function compile(root, source, outDir, options) {
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const project = path.join(source, 'tsconfig.build.json');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', project, '--outDir', outDir, ...options], {
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stdout);
}

/** Node.js resolves only complete file names in ES modules. */
async function completeImports(folder) {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(js|d\.ts)$/.test(entry.name)) continue;
    const file = path.join(entry.parentPath, entry.name);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace(RELATIVE, '$1$2.js$3'));
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const root = path.resolve(import.meta.dirname, '../..');
  const outdir = path.resolve(process.argv[2] ?? path.join(root, 'dist/sdk'));
  const packages = path.join(path.dirname(outdir), 'packages');
  await buildSdk({ root, outdir });
  await mkdir(packages, { recursive: true });
  const { status, stdout, stderr } = spawnSync('npm', ['pack', '--silent', '--pack-destination', packages], {
    cwd: outdir,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  console.log(path.join(packages, stdout.trim()));
}
