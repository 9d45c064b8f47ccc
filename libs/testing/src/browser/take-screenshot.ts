import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';

const FOLDER = path.resolve(__dirname, '../../../../tmp/screenshots');

/** Writes `tmp/screenshots/<name>.png` if TEST_SCREENSHOTS is `true`: to draw and encode pictures takes most of a test's time. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (process.env.TEST_SCREENSHOTS !== 'true') return;
  await mkdir(FOLDER, { recursive: true });
  await page.screenshot({ path: path.join(FOLDER, `${name}.png`) });
}
