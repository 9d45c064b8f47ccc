import { existsSync } from 'node:fs';
import { canInstallPackages, installPackages } from './debian.mjs';

const SETTING = 'CHROMIUM_PATH';
/** The headless shell needs a third of the CPU time of the whole browser. */
const SHELL_PACKAGE = 'chromium-headless-shell';
const PACKAGES = [SHELL_PACKAGE, 'chromium'];

const pathOf = (name) => `/usr/bin/${name}`;

/**
 * The browser for tests of pages: CHROMIUM_PATH, or a Chromium package of Debian, installed if possible. Without a
 * browser only those tests fail, because most projects do not need one. The tests look for the same paths.
 */
export function haveChromium({ log = () => undefined } = {}) {
  if (!process.env[SETTING] && !existsSync(pathOf(SHELL_PACKAGE)) && canInstallPackages()) install(log);
  const path = process.env[SETTING] || PACKAGES.map(pathOf).find(existsSync);
  if (path && existsSync(path)) log(`Chromium: ${path}`);
  else
    log(
      `Chromium is missing: install it (Debian: ${SHELL_PACKAGE}), or set ${SETTING} to its path. Tests that use a browser will fail.`,
    );
}

/** Older releases of Debian have no package of the headless shell. */
function install(log) {
  for (const name of PACKAGES) {
    if (existsSync(pathOf(name))) return;
    log(`Chromium: installing Debian's ${name}`);
    try {
      return installPackages(name);
    } catch (error) {
      log(`Chromium: could not be installed. ${error.message}`);
    }
  }
}
