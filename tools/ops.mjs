// npm run ops -- <command>: the operator's commands; `npm run ops` lists them.
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { freshBundle } = await import('./build/fresh-bundle.mjs');
await import(await freshBundle({ root, name: 'ops' }));
