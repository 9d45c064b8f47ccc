// npm run chaos [-- --seeds 20 --first 1]
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled } from './install.mjs';
import { bundleTool } from './run-tool.mjs';

ensureInstalled();
const outdir = await bundleTool('chaos', ['main', 'service']);
await import(pathToFileURL(path.join(outdir, 'main.js')).href);
