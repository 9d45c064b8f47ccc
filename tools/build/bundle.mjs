import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { transform } from '@swc/core';
import { build } from 'esbuild';
import { describeProperties } from './dto-properties.cjs';
import { buildRuntimeAssets } from './runtime-assets.mjs';

/** How esbuild keeps the names of classes and functions. */
const NAME_HELPER = 'var __name = (target, value) => __defProp(target, "name", { value, configurable: true });';
/**
 * The same for classes and for functions with a prototype. Arrow functions, which are created in every call, keep no name:
 * defining it takes 20 times as long as creating the function.
 */
const CLASS_NAME_HELPER =
  'var __name = (target, value) => target.prototype === undefined ? target : __defProp(target, "name", { value, configurable: true });';

/**
 * Bundles TypeScript entry points and the libraries of this repository to CommonJS, with the folders that they read at
 * run time. npm packages are not bundled. Resolves with esbuild's metafile; `inputs` are all input files, relative to
 * `root`.
 */
export async function bundle({ root, entryPoints, outdir }) {
  const swcrc = JSON.parse(await readFile(path.join(root, '.swcrc'), 'utf8'));
  delete swcrc.$schema;
  const { paths } = JSON.parse(await readFile(path.join(root, 'tsconfig.base.json'), 'utf8')).compilerOptions;
  const alias = Object.fromEntries(Object.entries(paths).map(([name, [file]]) => [name, path.join(root, file)]));
  const plugin = {
    name: 'swc',
    setup(builder) {
      builder.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
        const { code } = await transform(describeProperties(await readFile(file, 'utf8'), file), {
          ...swcrc,
          filename: file,
          swcrc: false,
          sourceMaps: 'inline',
          module: { type: 'es6' },
        });
        return { contents: code, loader: 'js', resolveDir: path.dirname(file) };
      });
      builder.onResolve({ filter: /^[^./]/ }, (args) =>
        args.path in alias || args.kind === 'entry-point' ? undefined : { path: args.path, external: true },
      );
    },
  };
  const { metafile } = await build({
    entryPoints,
    outdir,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    sourcemap: true,
    keepNames: true,
    metafile: true,
    alias,
    loader: { '.sql': 'text', '.css': 'text', '.client.mjs': 'text' },
    plugins: [plugin],
    logLevel: 'warning',
  });
  await Promise.all(Object.keys(metafile.outputs).map((output) => keepClassNamesOnly(path.resolve(output))));
  const bundled = Object.keys(metafile.inputs).map((file) => path.relative(root, path.resolve(file)));
  return { metafile, inputs: [...bundled, ...(await buildRuntimeAssets({ root, outdir, metafile }))] };
}

/** The names of a source map are relative to lines, so a change within the line of the helper does not affect it. */
async function keepClassNamesOnly(file) {
  if (!file.endsWith('.js')) return;
  const code = await readFile(file, 'utf8');
  if (!code.includes('__name(')) return;
  if (!code.includes(NAME_HELPER)) throw new Error(`${file}: esbuild keeps names in another way; adapt NAME_HELPER`);
  await writeFile(file, code.replace(NAME_HELPER, CLASS_NAME_HELPER));
}

/** The npm packages that a bundle imports. */
export function externalPackages(metafile, builtins) {
  const used = new Set();
  for (const output of Object.values(metafile.outputs)) {
    for (const { external, path: request } of output.imports) {
      if (!external || request.startsWith('node:')) continue;
      const name = request
        .split('/')
        .slice(0, request.startsWith('@') ? 2 : 1)
        .join('/');
      if (!builtins.includes(name)) used.add(name);
    }
  }
  return used;
}
