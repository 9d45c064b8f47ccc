import { existsSync } from 'node:fs';
import { canInstallPackages, installPackages } from './debian.mjs';

const SETTING = 'CHROMIUM_PATH';
const DEBIAN_PATH = '/usr/bin/chromium';
const DEBIAN_PACKAGE = 'chromium';

/**
 * The browser for tests of pages: CHROMIUM_PATH, or Debian's Chromium, installed if possible. Without a browser only
 * those tests fail, because most projects do not need one.
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
      `Chromium is missing: install it (Debian: ${DEBIAN_PACKAGE}), or set ${SETTING} to its path. Tests that use a browser will fail.`,
    );
}
