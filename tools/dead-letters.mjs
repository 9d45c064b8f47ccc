// npm run dead-letters -- list|replay <queue> [limit]
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { freshBundle } = await import('./build/fresh-bundle.mjs');
await import(await freshBundle({ root, name: 'dead-letters' }));
