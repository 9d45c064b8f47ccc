// npm start: installs, builds and runs the local stack. One process, so that whatever ends this script ends the stack.
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { freshBundle } = await import('./build/fresh-bundle.mjs');
const { main } = (await import(await freshBundle({ root, name: 'local-stack' }))).default;
await main(root, process.argv.slice(2));
