// npm run bench [-- --rounds 5 --seconds 4 --end-to-end 40000 --million]
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled } from './install.mjs';
import { bundleTool } from './run-tool.mjs';

ensureInstalled();
const outdir = await bundleTool('bench', ['main', 'load-generator', 'bench-api', 'carrier', 'reference/reference-api']);
await import(pathToFileURL(path.join(outdir, 'main.js')).href);
