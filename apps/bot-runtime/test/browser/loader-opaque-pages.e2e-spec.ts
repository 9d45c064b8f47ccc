import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { until } from '@heliograph/testing';
import type { Frame, Page } from 'playwright-core';
import { bubbles, write } from './frame.fixture';
import { hostHtml } from './host-site';
import { LoaderFixture } from './loader.fixture';

describe('the widget in pages with an opaque origin', () => {
  let widget: LoaderFixture;
  let folder: string;
  beforeAll(async () => {
    widget = await LoaderFixture.start();
    folder = mkdtempSync(path.join(os.tmpdir(), 'opaque-'));
  });
  afterAll(async () => {
    await widget?.stop();
    rmSync(folder, { recursive: true });
  });

  const html = () => hostHtml({ body: widget.tag('data-auto-open="true"') });
  const chatOf = (page: Page): Promise<Frame> =>
    until('the chat is loaded', () => page.frames().find((frame) => frame.url().includes('/bots/embed/')) ?? false);

  const PAGES: [string, () => string][] = [
    [
      'a file',
      () => {
        const file = path.join(folder, 'page.html');
        writeFileSync(file, html());
        return pathToFileURL(file).href;
      },
    ],
    [
      'a data: page',
      () => {
        // In a frame, because Chromium lets a data: page of its own load nothing from loopback addresses.
        const inner = `data:text/html;charset=utf-8,${encodeURIComponent(html())}`;
        return widget.site.serve('/data', {
          html: hostHtml({ body: `<iframe src="${inner}" width="600" height="700"></iframe>` }),
        });
      },
    ],
    [
      'a sandboxed frame',
      () => {
        const inner = widget.site.serve('/inner', { html: html() });
        const frame = `<iframe src="${inner}" sandbox="allow-scripts" width="600" height="700"></iframe>`;
        return widget.site.serve('/outer', { html: hostHtml({ body: frame }) });
      },
    ],
  ];

  it.each(PAGES)('answers questions in %s', (_, addressOf) =>
    widget.visit(async ({ page }) => {
      await page.goto(addressOf());
      const chat = await chatOf(page);
      await write(chat, 'What are your opening hours?');
      await bubbles(chat).getByText('9 to 5.').waitFor();
      // The loader and the frame are connected: the chat knows that it is in a panel, which its button closes.
      await chat.getByRole('button', { name: 'Close chat' }).click();
      const host = chat.parentFrame()!;
      await until('the panel is closed', async () => !(await host.locator('heliograph-widget .panel').isVisible()));
    }),
  );
});
