// npm run gateway:config: writes the configuration of the production gateway from the route table of the local stack.
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { freshBundle } = await import('./build/fresh-bundle.mjs');
const entry = 'tools/local-stack/src/nginx/write-nginx-config.ts';
const { writeNginxConfig } = (await import(await freshBundle({ root, name: 'gateway-config', main: entry }))).default;
await writeNginxConfig(root);
