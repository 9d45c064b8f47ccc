// npm run dead-letters -- list|replay <queue> [limit]
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ensureInstalled } from './install.mjs';
import { bundleTool } from './run-tool.mjs';

ensureInstalled();
const outdir = await bundleTool('dead-letters', ['main']);
await import(pathToFileURL(path.join(outdir, 'main.js')).href);
