// npm run sdk:generate: writes the SDKs from the OpenAPI documents of the services.
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { freshBundle } = await import('./build/fresh-bundle.mjs');
const { writeSdks } = (await import(await freshBundle({ root, name: 'sdk' }))).default;
await writeSdks(root);
