import { canInstallPackages, installPackages } from './debian.mjs';
import { works } from './process.mjs';

const DEBIAN_PACKAGE = 'prometheus';

/** The promtool for tests of rules and dashboards: that of the path, or Debian's, installed if possible. */
export function havePromtool({ log = () => undefined } = {}) {
  const isInstalled = () => works('promtool', ['--version']);
  if (!isInstalled() && canInstallPackages()) {
    log(`promtool: installing Debian's ${DEBIAN_PACKAGE}`);
    try {
      installPackages(DEBIAN_PACKAGE);
    } catch (error) {
      log(`promtool: could not be installed. ${error.message}`);
    }
  }
  if (isInstalled()) log('promtool: found');
  else log(`promtool is missing: install it (Debian: ${DEBIAN_PACKAGE}). Tests of the monitoring files will fail.`);
}
