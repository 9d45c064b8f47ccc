// npm run measure:reference -- [base URL]: audits the API reference of a running stack with Lighthouse, as a phone on a
// slow network. Fails if a page has a performance or accessibility score below 95. Needs Chromium (CHROME_PATH).
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

// Not a dependency: npx downloads it for those who measure.
const LIGHTHOUSE = 'lighthouse@12.8.2';
const PAGES = ['/docs', '/docs/guides/quick-start', '/docs/sms/messages', '/docs/bots/bots', '/docs/search?q=send'];
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'];
const MIN_SCORE = 0.95;
const CHROMIUM = '/usr/bin/chromium';

const baseUrl = process.argv[2] ?? 'http://localhost:8080';
const chromium = existsSync(CHROMIUM) ? { CHROME_PATH: CHROMIUM } : {};
const npm = process.env.npm_execpath;
let isGood = true;
for (const page of PAGES) {
  const { stdout, stderr } = spawnSync(
    ...(npm?.endsWith('.js')
      ? [process.execPath, [path.join(path.dirname(npm), 'npx-cli.js'), ...lighthouse(page)]]
      : ['npx', lighthouse(page)]),
    { encoding: 'utf8', env: { ...chromium, ...process.env }, maxBuffer: 256 * 1024 * 1024 },
  );
  const { categories, audits } = stdout ? JSON.parse(stdout) : {};
  if (!categories) throw new Error(`Lighthouse did not measure ${page}: ${stderr}`);
  const scores = CATEGORIES.map((name) => categories[name].score);
  if (!scores.every((score) => score >= MIN_SCORE)) isGood = false;
  const figures = ['largest-contentful-paint', 'total-blocking-time', 'total-byte-weight'];
  const text = CATEGORIES.map((name, at) => `${name} ${Math.round(scores[at] * 100)}`).join(', ');
  console.log(`${page}: ${text} (${figures.map((name) => audits[name].displayValue).join(', ')})`);
}
process.exit(isGood ? 0 : 1);

function lighthouse(page) {
  return [
    '--yes',
    LIGHTHOUSE,
    new URL(page, baseUrl).href,
    '--quiet',
    '--output=json',
    '--output-path=stdout',
    `--only-categories=${CATEGORIES.join(',')}`,
    '--chrome-flags=--headless --no-sandbox',
  ];
}
