// npm start: installs, builds and runs the local stack. It is one process, so that the stack ends with this script.
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { freshBundle } = await import('./build/fresh-bundle.mjs');
const bundled = await freshBundle({ root, name: 'local-stack' });
// Stops esbuild, whose process would use the CPU as long as the stack runs.
await (await import('esbuild')).stop();
const { main } = (await import(bundled)).default;
await main(root, process.argv.slice(2));
