import { createHash } from 'node:crypto';
import escapeHtml from 'escape-html';
import { PAGE_DATA_ID, ROOT_ID, type PageData, type WidgetAssets } from '@heliograph/bot-widget';
import { scriptJson } from '@heliograph/service-kit';
import { directionOf, pageTexts } from './page-texts';

export interface Page {
  data: PageData;
  /** BCP 47 */
  locale: string;
}

/** Style of a notice in place of the chat. It is readable without the script, which later renders the same notice. */
const NOTICE_STYLE = `:root{color-scheme:light dark;--page:#f6f7f9;--card:#fff;--text:#181b22;--soft:#5a6270;--line:#e4e7ec}
@media (prefers-color-scheme:dark){:root{--page:#101216;--card:#191c22;--text:#eef0f3;--soft:#a6aebb;--line:#2b3039}}
.notice{box-sizing:border-box;min-height:100vh;min-height:100dvh;margin:0;padding:24px 20px;display:grid;place-content:center;justify-items:center;text-align:center;background:var(--page);color:var(--text);font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;overflow-wrap:anywhere}
.notice svg{box-sizing:content-box;width:28px;height:28px;padding:18px;margin-bottom:20px;border-radius:50%;background:var(--card);border:1px solid var(--line);color:var(--soft);fill:none;stroke:currentColor;stroke-width:1.75;stroke-linecap:round;stroke-linejoin:round}
.notice h1{margin:0 0 8px;max-width:22ch;font-size:20px;line-height:1.3;font-weight:650;letter-spacing:-.01em;text-wrap:balance}
.notice p{margin:0;max-width:38ch;color:var(--soft);text-wrap:pretty}
body{margin:0}`;

/** SHA-256 of the only inline style, for the Content-Security-Policy of a page with a notice. */
export const NOTICE_STYLE_HASH = createHash('sha256').update(NOTICE_STYLE).digest('base64');

/** The page of an available bot; the script renders the chat. */
export function renderChatPage({ data, locale }: Page, { script, style }: WidgetAssets): string {
  const { config, mode } = data;
  const name = config?.name ?? '';
  const welcome = escapeHtml(config?.welcome ?? '');
  const logo = config?.logo === undefined ? 'data:,' : escapeHtml(config.logo);
  const head =
    mode === 'hosted'
      ? `<meta name="description" content="${welcome}">
<meta property="og:title" content="${escapeHtml(name)}">
<meta property="og:description" content="${welcome}">
<meta name="theme-color" content="${escapeHtml(config?.color ?? '')}">
`
      : '<meta name="robots" content="noindex">\n';
  return document(locale, name, {
    head: `${head}<link rel="icon" href="${logo}">
<link rel="stylesheet" href="/bots/assets/${style.name}">
<script defer src="/bots/assets/${script.name}"></script>`,
    body: `<div id="${ROOT_ID}"></div>
<noscript>${escapeHtml(pageTexts(locale).noScript)}</noscript>
${dataBlock(data)}`,
  });
}

/** The page of an unavailable bot: a notice, with and without JavaScript. */
export function renderUnavailablePage({ data, locale }: Page, { script, style }: WidgetAssets): string {
  const { unavailableTitle, unavailable } = pageTexts(locale);
  return document(locale, unavailableTitle, {
    head: `<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<style>${NOTICE_STYLE}</style>
<link rel="stylesheet" href="/bots/assets/${style.name}">
<script defer src="/bots/assets/${script.name}"></script>`,
    body: `<div id="${ROOT_ID}">${notice(unavailableTitle, unavailable)}</div>
${dataBlock(data)}`,
  });
}

/** The page during an outage of a required dependency. It has no script; the visitor reloads the page. */
export function renderAwayPage(locale: string): string {
  const { awayTitle, away } = pageTexts(locale);
  return document(locale, awayTitle, {
    head: `<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<style>${NOTICE_STYLE}</style>`,
    body: notice(awayTitle, away),
  });
}

function notice(title: string, text: string): string {
  return `<main class="notice"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M20 15a2 2 0 0 1-2 2H8l-4 4V6a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2z"/><path d="m10 8 4 5m0-5-4 5"/></svg><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p></main>`;
}

function dataBlock(data: PageData): string {
  return `<script type="application/json" id="${PAGE_DATA_ID}">${scriptJson(data)}</script>`;
}

function document(locale: string, title: string, { head, body }: { head: string; body: string }): string {
  return `<!doctype html>
<html lang="${escapeHtml(locale)}" dir="${directionOf(locale)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1,viewport-fit=cover,interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`;
}
