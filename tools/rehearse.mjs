// npm run rehearse -- NAME: rehearses an operation, such as a release, and adds its results to docs/operations/results.md.
import { ensureInstalled, root } from './install.mjs';
import { binaries } from './servers/postgres.mjs';

ensureInstalled();
const { freshBundle } = await import('./build/fresh-bundle.mjs');
// Some rehearsals run the services as processes on this machine.
const services = ['sms-api', 'billing-hook', 'account-api', 'email-api', 'chatapp-api', 'chatapp-hook', 'bot-runtime'];
process.env.POSTGRES_BINARIES ??= (await binaries()) ?? '';
const { main } = (await import(await freshBundle({ root, name: 'rehearse', services }))).default;
await main(root, process.argv.slice(2));
