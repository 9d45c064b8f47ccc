import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SERVICES } from '../routes';
import { nginxConfig } from './nginx-config';

/** Writes deploy/nginx/gateway.conf. */
export async function writeNginxConfig(root: string): Promise<void> {
  const file = path.join(root, 'deploy/nginx/gateway.conf');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, nginxConfig(SERVICES));
  console.log(`wrote ${path.relative(root, file)}`);
}
