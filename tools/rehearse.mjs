// npm run rehearse -- NAME: rehearses an operation, such as a release, and adds its results to docs/operations/results.md.
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { freshBundle } = await import('./build/fresh-bundle.mjs');
const { main } = (await import(await freshBundle({ root, name: 'rehearse' }))).default;
await main(root, process.argv.slice(2));
