// npm run provision -- FILE: applies a provisioning file to the running local stack, or to DATABASE_URL.
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { freshBundle } = await import('./build/fresh-bundle.mjs');
const { main } = (await import(await freshBundle({ root, name: 'provision' }))).default;
await main(root, process.argv.slice(2));
