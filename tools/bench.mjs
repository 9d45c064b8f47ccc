// npm run bench [-- --rounds 5 --seconds 4 --end-to-end 40000 --million]
import { ensureInstalled, root } from './install.mjs';

ensureInstalled();
const { freshBundle } = await import('./build/fresh-bundle.mjs');
await import(
  await freshBundle({
    root,
    name: 'bench',
    entries: ['load-generator', 'bench-api', 'carrier', 'reference/reference-api'],
  })
);
