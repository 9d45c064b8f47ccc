// npm start: installs, builds and runs the local stack. It is one process, so that the stack ends with this script.
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { freshBundle } = await import('./build/fresh-bundle.mjs');
const { main } = (await import(await freshBundle({ root, name: 'local-stack' }))).default;
await main(root, process.argv.slice(2));
