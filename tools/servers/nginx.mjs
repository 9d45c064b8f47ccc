import { existsSync } from 'node:fs';
import { canInstallPackages, installPackages } from './debian.mjs';

const SETTING = 'NGINX_PATH';
const DEBIAN_PATH = '/usr/sbin/nginx';
const DEBIAN_PACKAGE = 'nginx-light';

/** The nginx for tests of the production gateway: NGINX_PATH, or Debian's nginx, installed if possible. */
export function haveNginx({ log = () => undefined } = {}) {
  const path = process.env[SETTING] || DEBIAN_PATH;
  if (!existsSync(path) && path === DEBIAN_PATH && canInstallPackages()) {
    log(`nginx: installing Debian's ${DEBIAN_PACKAGE}`);
    try {
      installPackages(DEBIAN_PACKAGE);
    } catch (error) {
      log(`nginx: could not be installed. ${error.message}`);
    }
  }
  if (existsSync(path)) log(`nginx: ${path}`);
  else
    log(`nginx is missing: install it (Debian: ${DEBIAN_PACKAGE}), or set ${SETTING}. Tests of the gateway will fail.`);
}
