// Builds the console, which account-api serves: node tools/build/build-console.mjs <outdir>
// assets/<name>-<hash>.js, .css  modules of the screens, loaded when a screen is opened, and the stylesheet
// index.html                     the page of every screen
// modules.json                   which files each screen loads, for the test of the budgets
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const SOURCES = 'apps/console/src';
const PUBLIC_PATH = '/console/assets';

/** Builds the console into `outdir`. Resolves with the input files, relative to `root`. */
export async function buildConsole({ root, outdir }) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main: path.join(root, SOURCES, 'main.tsx') },
    outdir: path.join(outdir, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    write: false,
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    platform: 'browser',
    target: 'es2022',
    charset: 'utf8',
    legalComments: 'none',
    jsx: 'automatic',
    alias: { '@heliograph/sdk': path.join(root, 'libs/sdk/src/index.ts') },
    define: { 'process.env.NODE_ENV': '"production"' },
    metafile: true,
    logLevel: 'warning',
  });
  const template = path.join(SOURCES, 'index.html');
  const page = pageOf(await readFile(path.join(root, template), 'utf8'), metafile);
  await rm(outdir, { recursive: true, force: true });
  await mkdir(path.join(outdir, 'assets'), { recursive: true });
  await Promise.all(outputFiles.map((file) => writeFile(file.path, file.contents)));
  await writeFile(path.join(outdir, 'modules.json'), `${JSON.stringify(modulesOf(metafile), null, 2)}\n`);
  // The page is written last, so that all files that it names exist.
  await writeFile(path.join(outdir, 'index.html'), page);
  return [path.relative(root, import.meta.filename), template, ...Object.keys(metafile.inputs)];
}

const nameOf = (output) => path.basename(output);

/** The chunks that a module imports when it is loaded, with itself. */
function loadedWith(outputs, output, loaded = new Set()) {
  if (loaded.has(output)) return loaded;
  loaded.add(output);
  for (const { path: imported, kind } of outputs[output].imports) {
    if (kind === 'import-statement') loadedWith(outputs, imported, loaded);
  }
  return loaded;
}

const mainOf = (outputs) => Object.keys(outputs).find((output) => outputs[output].entryPoint?.endsWith('main.tsx'));

function pageOf(template, { outputs }) {
  const main = mainOf(outputs);
  const preloads = [...loadedWith(outputs, main)].filter((output) => output !== main);
  const tags = [
    `<link rel="stylesheet" href="${PUBLIC_PATH}/${nameOf(outputs[main].cssBundle)}" />`,
    ...preloads.map((output) => `<link rel="modulepreload" href="${PUBLIC_PATH}/${nameOf(output)}" />`),
    `<script type="module" src="${PUBLIC_PATH}/${nameOf(main)}"></script>`,
  ];
  return template.replace('<!-- assets -->', tags.join('\n    '));
}

/** The files of the first page, and the further files of each module that is loaded later. */
function modulesOf({ outputs }) {
  const main = mainOf(outputs);
  const first = loadedWith(outputs, main);
  const later = Object.keys(outputs).filter((output) => outputs[output].entryPoint && output !== main);
  return {
    first: [...first, outputs[main].cssBundle].map(nameOf),
    later: Object.fromEntries(
      later.map((output) => [
        outputs[output].entryPoint.replace(`${SOURCES}/`, ''),
        [...loadedWith(outputs, output)].filter((each) => !first.has(each)).map(nameOf),
      ]),
    ),
  };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const outdir = process.argv[2];
  if (!outdir) throw new Error('usage: build-console.mjs <outdir>');
  await buildConsole({ root: path.resolve(import.meta.dirname, '../..'), outdir: path.resolve(outdir) });
}
