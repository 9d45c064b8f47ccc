// Builds the files that the browsers of visitors load: node tools/build/build-widget.mjs <outdir>
// widget.js              the loader, which sites include: one self-contained script without a framework
// frame.<hash>.js, .css  the chat, for the frame and the hosted page
// manifest.json          their names
import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const SOURCES = 'libs/bots/widget/src';

/** Builds the widget into `outdir`. Resolves with the input files, relative to `root`. */
export async function buildWidget({ root, outdir }) {
  const [loader, script, style] = await Promise.all([
    bundleForBrowsers(root, 'loader/main.ts'),
    bundleForBrowsers(root, 'frame/main.tsx'),
    bundleForBrowsers(root, 'frame/frame.css'),
  ]);
  const names = { loader: 'widget.js', script: hashedName(script, 'js'), style: hashedName(style, 'css') };
  await mkdir(outdir, { recursive: true });
  await Promise.all([
    writeFile(path.join(outdir, names.loader), loader.contents),
    writeFile(path.join(outdir, names.script), script.contents),
    writeFile(path.join(outdir, names.style), style.contents),
  ]);
  // The manifest is written last, so that all files that it lists exist.
  await writeFile(path.join(outdir, 'manifest.json'), `${JSON.stringify(names, null, 2)}\n`);
  const own = path.relative(root, import.meta.filename);
  return [...new Set([own, ...loader.inputs, ...script.inputs, ...style.inputs])];
}

/** The loader contains its stylesheet as minified text, because sites with a strict style policy allow no other way. */
function cssAsText(root, inputs) {
  return {
    name: 'css-as-text',
    setup(builder) {
      builder.onLoad({ filter: /\/loader\/.*\.css$/ }, async ({ path: file }) => {
        const { outputFiles, metafile } = await build({
          absWorkingDir: root,
          entryPoints: [file],
          write: false,
          bundle: true,
          minify: true,
          metafile: true,
        });
        for (const input of Object.keys(metafile.inputs)) inputs.add(input);
        return { contents: outputFiles[0].text.trim(), loader: 'text' };
      });
    },
  };
}

async function bundleForBrowsers(root, entry) {
  const inputs = new Set();
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: [path.join(root, SOURCES, entry)],
    outdir: path.join(root, 'dist'),
    write: false,
    bundle: true,
    minify: true,
    platform: 'browser',
    target: 'es2020',
    format: 'iife',
    charset: 'utf8',
    legalComments: 'none',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [cssAsText(root, inputs)],
    metafile: true,
    logLevel: 'warning',
  });
  if (outputFiles.length !== 1) throw new Error(`${entry} was built into ${outputFiles.length} files instead of one`);
  return { contents: outputFiles[0].contents, inputs: [...Object.keys(metafile.inputs), ...inputs] };
}

function hashedName({ contents }, extension) {
  return `frame.${createHash('sha256').update(contents).digest('hex').slice(0, 16)}.${extension}`;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const outdir = process.argv[2];
  if (!outdir) throw new Error('usage: build-widget.mjs <outdir>');
  await buildWidget({ root: path.resolve(import.meta.dirname, '../..'), outdir: path.resolve(outdir) });
}
