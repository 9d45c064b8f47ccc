// npm run ops -- <command>: commands for operators; `npm run ops` lists them.
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { freshBundle } = await import('./build/fresh-bundle.mjs');
await import(await freshBundle({ root, name: 'ops' }));
