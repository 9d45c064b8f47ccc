// npm run chaos [-- --seeds 20 --first 1]
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { freshBundle } = await import('./build/fresh-bundle.mjs');
await import(await freshBundle({ root, name: 'chaos', entries: ['service'] }));
