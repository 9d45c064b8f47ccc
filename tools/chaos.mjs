// npm run chaos [-- --seeds 20 --first 1 --pause-ms 0]: injects faults into services and servers under load. It starts its own servers.
import { ensureInstalled, root } from './install.mjs';
import { canInstallPackages, installPackages } from './servers/debian.mjs';

ensureInstalled();
const servers = await Promise.all(['postgres', 'rabbitmq', 'redis'].map((name) => import(`./servers/${name}.mjs`)));
const missing = [];
for (const server of servers) if (!(await server.isInstalled())) missing.push(server.debianPackage);
if (missing.length > 0) {
  if (!canInstallPackages()) {
    console.error(`Install ${missing.join(', ')} first: the chaos tool starts its own servers.`);
    process.exit(1);
  }
  installPackages(...missing);
}
process.env.POSTGRES_BINARIES = await servers[0].binaries();
const { freshBundle } = await import('./build/fresh-bundle.mjs');
await import(
  await freshBundle({
    root,
    name: 'chaos',
    services: ['sms-api', 'billing-hook', 'account-api', 'email-api', 'chatapp-api', 'chatapp-hook', 'bot-runtime'],
  })
);
