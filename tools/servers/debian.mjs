import { isRoot, run, works } from './process.mjs';

let updated = false;

/** `TEST_INSTALL=no`: nothing is installed; what is missing is reported. */
const mayInstall = process.env.TEST_INSTALL !== 'no';

/** Whether this process can and may install Debian packages. */
export const canInstallPackages = () => mayInstall && isRoot && works('apt-get', ['--version']);

/** Installs Debian packages without starting their services, because tests start their own servers. */
export function installPackages(...names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  if (!updated) run('apt-get', ['update', '-qq'], { env });
  updated = true;
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { env });
}
