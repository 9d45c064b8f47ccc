import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { chromiumPath } from './chromium.config';

/**
 * All switches, because the defaults of Playwright disable the partitioning of third-party storage, which the browsers
 * of visitors have.
 */
const SWITCHES = [
  '--headless',
  '--no-sandbox',
  '--remote-debugging-pipe',
  '--no-startup-window',
  '--no-first-run',
  '--no-default-browser-check',
  '--no-service-autorun',
  '--disable-gpu',
  // Fewer processes.
  '--in-process-gpu',
  '--disable-quic',
  '--disable-sync',
  '--disable-extensions',
  '--disable-default-apps',
  '--disable-dev-shm-usage',
  '--disable-breakpad',
  '--disable-hang-monitor',
  '--disable-component-update',
  '--disable-background-networking',
  // Playwright loses the frames of a page that is restored from the back/forward cache.
  '--disable-back-forward-cache',
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
  '--disable-field-trial-config',
  '--disable-search-engine-choice-screen',
  '--disable-features=SpareRendererForSitePerProcess,HttpsUpgrades,HttpsFirstBalancedModeAutoEnable,OptimizationHints,NetworkTimeServiceQuerying,PaintHolding',
  '--force-color-profile=srgb',
  '--hide-scrollbars',
  '--mute-audio',
  '--metrics-recording-only',
  '--password-store=basic',
];

/** Starts Chromium. Rejects if it is not installed, with an error that names what to install. */
export async function launchBrowser(): Promise<Browser> {
  const executablePath = chromiumPath();
  if (executablePath === null) {
    throw new Error(
      'Chromium is missing: install it (Debian: apt-get install chromium-headless-shell), or set CHROMIUM_PATH to one.',
    );
  }
  // The module is loaded here, because few tests use a browser.
  const { chromium } = await import('playwright-core');
  const profile = await mkdtemp(path.join(tmpdir(), 'heliograph-chromium-'));
  const browser = await chromium.launch({
    executablePath,
    ignoreDefaultArgs: true,
    args: [...SWITCHES, `--user-data-dir=${profile}`],
  });
  browser.once('disconnected', () => void rm(profile, { recursive: true, force: true, maxRetries: 5 }));
  return browser;
}
