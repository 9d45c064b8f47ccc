import { isRoot, run, works } from './process.mjs';

let updated = false;

/** Whether Debian packages can be installed from here. */
export const canInstallPackages = () => isRoot && works('apt-get', ['--version']);

/** Installs Debian packages. Their own services stay down: a server for tests is started apart from them. */
export function installPackages(...names) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  if (!updated) run('apt-get', ['update', '-qq'], { env });
  updated = true;
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], { env });
}
