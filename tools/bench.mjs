// npm run bench [-- neighbours --only 1,4 --processes 2 --memory]
// npm run bench [-- --only sms|email|chatapp|payments|login|bots|campaigns|analytics|hostile|webhooks --rounds 5 --seconds 4 --end-to-end 40000 --contacts 20000 --import-rows 20000 --million]
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { freshBundle } = await import('./build/fresh-bundle.mjs');
await import(
  await freshBundle({
    root,
    name: 'bench',
    entries: [
      'load-generator',
      'bench-api',
      'carrier',
      'reference/reference-api',
      'mail-server',
      'reference/plain-mailer',
      'provider',
      'reference/plain-client',
      'reference/plain-hook',
      'watched-service',
      'argon2-alone',
      'bot-runtime',
      'stream-readers',
      'reference/plain-bot',
      'reference/pg-boss-worker',
      'reference/graphile-worker',
      'webhook-receiver',
    ],
    services: ['account-api', 'sms-api', 'email-api', 'chatapp-api', 'chatapp-hook', 'billing-hook'],
  })
);
