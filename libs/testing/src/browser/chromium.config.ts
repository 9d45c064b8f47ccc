import { existsSync } from 'node:fs';

/** The headless shell needs a third of the CPU time of the whole browser, which runs its user interface as well. */
const PATHS = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];

/** The browser of the tests: CHROMIUM_PATH, or by default a Chromium package of Debian; null if there is none. */
export function chromiumPath(): string | null {
  const setting = process.env['CHROMIUM_PATH'];
  return (setting ? [setting] : PATHS).find((path) => existsSync(path)) ?? null;
}
