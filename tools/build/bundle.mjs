import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { transform } from '@swc/core';
import { build } from 'esbuild';
import { buildCompanions } from './companions.mjs';

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
        const { code } = await transform(await readFile(file, 'utf8'), {
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
  const bundled = Object.keys(metafile.inputs).map((file) => path.relative(root, path.resolve(file)));
  return { metafile, inputs: [...bundled, ...(await buildCompanions({ root, outdir, metafile }))] };
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
