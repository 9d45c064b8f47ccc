// npm run reconcile: compares every balance with the ledger
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { freshBundle } = await import('./build/fresh-bundle.mjs');
await import(await freshBundle({ root, name: 'reconcile' }));
