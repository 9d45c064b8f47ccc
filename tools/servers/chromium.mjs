import { existsSync } from 'node:fs';
import { canInstallPackages, installPackages } from './debian.mjs';

const SETTING = 'CHROMIUM_PATH';
const DEBIAN_PATH = '/usr/bin/chromium';
const DEBIAN_PACKAGE = 'chromium';

/**
 * The browser that tests of pages drive: the one that CHROMIUM_PATH names, else Debian's, which is installed where that
 * is possible. Where there is none, only those tests fail: most projects have no need of it.
 */
export function haveChromium({ log = () => undefined } = {}) {
  const path = process.env[SETTING] || DEBIAN_PATH;
  if (!existsSync(path) && path === DEBIAN_PATH && canInstallPackages()) {
    log(`Chromium: installing Debian's ${DEBIAN_PACKAGE}`);
    try {
      installPackages(DEBIAN_PACKAGE);
    } catch (error) {
      log(`Chromium: could not be installed. ${error.message}`);
    }
  }
  if (existsSync(path)) log(`Chromium: ${path}`);
  else
    log(
      `Chromium is missing: install it (Debian: ${DEBIAN_PACKAGE}), or set ${SETTING} to one. Tests that drive it will fail.`,
    );
}
