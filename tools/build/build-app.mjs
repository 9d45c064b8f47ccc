// Builds apps, and the operator commands as `ops`, into dist/apps/<name>, a standalone folder whose dependencies are installed with `npm ci --omit=dev`.
// esbuild bundles the app and the libraries of this repository, swc emits the decorator metadata that Nest needs, npm
// packages are not bundled, and a reduced package.json and lock file are written next to the bundle.
import { copyFile, readFile, rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import path from 'node:path';
import devkit from '@nx/devkit';
import { createLockFile } from '@nx/js';
import { bundle, externalPackages } from './bundle.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const apps = process.argv.slice(2);
if (apps.length === 0) throw new Error('usage: build-app.mjs <app>...');

// Loaded at run time without an import statement, so the bundler cannot see it.
const IMPLICIT = {
  '@nestjs/core': ['@nestjs/common', '@nestjs/platform-express', 'reflect-metadata', 'rxjs'],
  '@nestjs/swagger': ['class-validator', 'class-transformer'],
  typeorm: ['pg'],
};

const rootPackage = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));

/** The package.json of an app, derived from the imports of its bundle. */
function manifestOf(app, metafile) {
  const used = externalPackages(metafile, builtinModules);
  for (const name of [...used]) for (const implied of IMPLICIT[name] ?? []) used.add(implied);
  const missing = [...used].filter((name) => !rootPackage.dependencies[name]);
  if (missing.length > 0) throw new Error(`missing in the dependencies of package.json: ${missing.join(', ')}`);
  return {
    name: app,
    version: rootPackage.version,
    private: true,
    main: 'main.js',
    engines: rootPackage.engines,
    dependencies: Object.fromEntries([...used].sort().map((name) => [name, rootPackage.dependencies[name]])),
  };
}

function entryPointsOf(app) {
  if (app === 'ops') return { main: path.join(root, 'tools/ops/src/main.ts') };
  return {
    main: path.join(root, 'apps', app, 'src/main.ts'),
    migrate: path.join(root, 'apps', app, 'src/migrate.ts'),
  };
}

const graph = await devkit.createProjectGraphAsync();
for (const app of apps) {
  const outdir = path.join(root, 'dist/apps', app);
  await rm(outdir, { recursive: true, force: true });
  const { metafile } = await bundle({
    root,
    entryPoints: entryPointsOf(app),
    outdir,
  });
  if (app !== 'ops') await copyFile(path.join(import.meta.dirname, 'health.cjs'), path.join(outdir, 'health.js'));
  const manifest = manifestOf(app, metafile);
  await writeFile(path.join(outdir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  await writeFile(path.join(outdir, 'package-lock.json'), createLockFile(manifest, graph, 'npm'));
  console.log(`built dist/apps/${app}`);
}
// The Nx project graph leaves a worker process running.
process.exit(0);
