// Serves the console while a person works on it: node tools/build/serve-console.mjs [port]
// Builds it again when a request of its page follows a change, and sends all other calls to the local stack (PORT).
import { readFile, stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { createProxyServer } from 'httpxy';
import { buildConsole } from './build-console.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const outdir = path.join(root, 'dist/apps/console');
const port = Number(process.argv[2] ?? 4200);
const gateway = `http://localhost:${process.env.PORT ?? 3000}`;
const TYPES = { '.js': 'text/javascript', '.css': 'text/css', '.html': 'text/html; charset=utf-8' };

let builtAt = 0;
let inputs = [];

async function isFresh() {
  const times = await Promise.all(inputs.map(async (file) => (await stat(path.join(root, file))).mtimeMs));
  return builtAt > 0 && times.every((time) => time < builtAt);
}

async function pageOrAsset(url) {
  if (url.startsWith('/console/assets/')) return path.join(outdir, 'assets', path.basename(url));
  if (!(await isFresh())) {
    const startedAt = Date.now();
    inputs = await buildConsole({ root, outdir });
    builtAt = startedAt;
    console.log(`built in ${Date.now() - startedAt} ms`);
  }
  return path.join(outdir, 'index.html');
}

const proxy = createProxyServer({ target: gateway });
createServer(async (request, response) => {
  const { pathname } = new URL(request.url, gateway);
  try {
    if (pathname !== '/console' && !pathname.startsWith('/console/')) return await proxy.web(request, response);
    const file = await pageOrAsset(pathname);
    response.setHeader('Content-Type', TYPES[path.extname(file)]);
    response.end(await readFile(file));
  } catch (error) {
    console.error(error.message);
    response.statusCode = 500;
    response.end(error.message);
  }
}).listen(port, '127.0.0.1', () => console.log(`http://localhost:${port}/console, with the local stack at ${gateway}`));
