// npm run config:reference: writes docs/configuration.md from the schemas of the settings.
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { freshBundle } = await import('./build/fresh-bundle.mjs');
const main = 'tools/workspace/src/configuration/write-reference.ts';
const { writeReference } = (await import(await freshBundle({ root, name: 'config-reference', main }))).default;
await writeReference(root);
