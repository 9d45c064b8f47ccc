import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SERVICES } from '../routes';
import { nginxConfig, type Addressing } from './nginx-config';

/** The files of deploy/nginx that are generated. */
export const GATEWAY_FILES: Readonly<Record<Addressing, string>> = {
  static: 'deploy/nginx/gateway.conf',
  dynamic: 'deploy/nginx/gateway.docker.conf',
};

/** Writes the configuration of the gateway for each way of addressing. */
export async function writeNginxConfig(root: string): Promise<void> {
  for (const addressing of ['static', 'dynamic'] as const) {
    const file = path.join(root, GATEWAY_FILES[addressing]);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, nginxConfig(SERVICES, addressing));
    console.log(`wrote ${path.relative(root, file)}`);
  }
}
