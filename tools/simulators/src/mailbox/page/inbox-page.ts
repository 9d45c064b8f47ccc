import { createHash } from 'node:crypto';
import { ControlPage } from '../../control-api';
import { MARKUP } from './markup';
import { SCRIPT } from './script';
import { STYLE } from './style';

const hashOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const PAGE = [
  '<!doctype html><html lang="en"><head><meta charset="utf-8">',
  '<meta name="viewport" content="width=device-width, initial-scale=1">',
  '<title>Heliograph mailbox</title><link rel="icon" href="data:,">',
  `<style>${STYLE}</style></head><body>${MARKUP}<script>${SCRIPT}</script></body></html>`,
].join('\n');

/** Allows only the script and the style of this page, and no external resources. */
const PAGE_POLICY = [
  "default-src 'none'",
  `script-src ${hashOf(SCRIPT)}`,
  `style-src ${hashOf(STYLE)}`,
  "connect-src 'self'",
  "frame-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The page that shows the emails. It calls the inbox routes. */
export function inboxPage(): ControlPage {
  return new ControlPage(PAGE, undefined, {
    'content-security-policy': PAGE_POLICY,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
}

/**
 * The HTML of an email for a sandboxed frame: no scripts, no forms, links open in new windows. External images
 * are loaded only on request.
 */
export function mailPage(html: string, withImages: boolean): ControlPage {
  const policy = [
    'sandbox allow-popups allow-popups-to-escape-sandbox',
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `img-src data:${withImages ? ' http: https:' : ''}`,
    'font-src data:',
    "frame-ancestors 'self'",
  ].join('; ');
  const hidden = withImages ? '' : '<style>img[src^="http" i] { visibility: hidden }</style>';
  // The first base element of a page applies.
  return new ControlPage(`<!doctype html><meta charset="utf-8"><base target="_blank">${hidden}\n${html}`, undefined, {
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
}
