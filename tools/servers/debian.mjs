import { isRoot, run, works } from './process.mjs';

let updated = false;

/** Whether this process can install Debian packages. */
export const canInstallPackages = () => isRoot && works('apt-get', ['--version']);

/** Installs Debian packages without starting their services, because tests start their own servers. */
export function installPackages(...names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  if (!updated) run('apt-get', ['update', '-qq'], { env });
  updated = true;
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { env });
}
