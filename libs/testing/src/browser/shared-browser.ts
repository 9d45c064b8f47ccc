import type { Browser } from 'playwright-core';
import { perWorker } from '../per-worker';
import { launchBrowser } from './launch-browser';

/** The browser of the Jest worker. A test file opens contexts of its own and closes them with `closeContexts`. */
export const sharedBrowser = perWorker(launchBrowser, (browser) => browser.close(), { hasConnections: false });

/** Closes all contexts of a browser. Does nothing if the browser was not started. */
export async function closeContexts(browser: Browser | undefined): Promise<void> {
  await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
}
