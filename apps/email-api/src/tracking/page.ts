import { createHash } from 'node:crypto';
import escapeHtml from 'escape-html';
import { HttpResult } from '@heliograph/service-kit';

export interface Page {
  status: number;
  title: string;
  /** Text fragments; `strong` is highlighted. */
  text: (string | { strong: string })[];
  note?: string;
  /** A form that posts these fields to the URL of the page. */
  form?: { button: string; fields: Record<string, string>; isSecondary?: boolean };
  mark: 'question' | 'done' | 'problem';
  headers?: Record<string, string>;
}

const STYLE = `
:root{color-scheme:light dark;--page:#f4f5f7;--card:#fff;--text:#1b1f27;--soft:#5c6470;--line:#e3e6ea;--border:#858e9c;--accent:#4f46e5;--accent-text:#fff;--hover:#4338ca;--done:#067647;--done-soft:#e3f6ec;--problem:#b42318;--problem-soft:#fdebe9;--question-soft:#ecebfd}
@media (prefers-color-scheme:dark){:root{--page:#101216;--card:#191c22;--text:#eef0f3;--soft:#a3abb8;--line:#2b3039;--border:#727b89;--accent:#8f8aff;--accent-text:#12131a;--hover:#a7a3ff;--done:#5fd39a;--done-soft:#12301f;--problem:#ff9a8f;--problem-soft:#3a1a17;--question-soft:#24244a}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:24px 16px;background:var(--page);color:var(--text);font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;-webkit-text-size-adjust:100%}
main{width:100%;max-width:440px;padding:36px 32px;background:var(--card);border:1px solid var(--line);border-radius:16px;text-align:center;overflow-wrap:anywhere;box-shadow:0 1px 2px rgba(0,0,0,.04),0 12px 32px rgba(0,0,0,.06)}
svg{display:block;width:52px;height:52px;margin:0 auto 20px;padding:13px;border-radius:50%;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round}
.question{color:var(--accent);background:var(--question-soft)}
.done{color:var(--done);background:var(--done-soft)}
.problem{color:var(--problem);background:var(--problem-soft)}
h1{margin:0 0 10px;font-size:22px;line-height:1.3;letter-spacing:-.01em;text-wrap:balance}
p{margin:0;text-wrap:pretty}
strong{font-weight:600}
.note{margin-top:20px;font-size:14px;color:var(--soft)}
form{margin:26px 0 0}
button{width:100%;min-height:48px;padding:12px 20px;border:0;border-radius:10px;background:var(--accent);color:var(--accent-text);font:inherit;font-weight:600;cursor:pointer}
button:hover{background:var(--hover)}
button.secondary{background:transparent;color:var(--text);box-shadow:inset 0 0 0 1px var(--border)}
button.secondary:hover{background:var(--page)}
button:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
@media (max-width:420px){main{padding:32px 22px}}
`;

const MARKS = {
  question: '<path d="M4 6h16v12H4z"/><path d="m4 7 8 6 8-6"/>',
  done: '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
  problem: '<path d="M12 4.5v10"/><path d="M12 19.5h.01"/>',
} as const;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
} as const;

/** Renders a page that loads no external resources. */
export function renderPage({ status, headers, ...content }: Page): HttpResult<string> {
  return new HttpResult({ status, headers: { ...HEADERS, ...headers }, body: htmlOf(content) });
}

function htmlOf({ title, text, note, form, mark }: Omit<Page, 'status' | 'headers'>): string {
  const pieces = text.map((piece) =>
    typeof piece === 'string' ? escapeHtml(piece) : `<strong>${escapeHtml(piece.strong)}</strong>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<svg class="${mark}" viewBox="0 0 24 24" aria-hidden="true">${MARKS[mark]}</svg>
<h1>${escapeHtml(title)}</h1>
<p>${pieces.join('')}</p>
${form ? renderForm(form) : ''}${note === undefined ? '' : `<p class="note">${escapeHtml(note)}</p>\n`}</main>
</body>
</html>
`;
}

function renderForm({ button, fields, isSecondary = false }: NonNullable<Page['form']>): string {
  const inputs = Object.entries(fields).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return `<form method="post">${inputs.join('')}<button${isSecondary ? ' class="secondary"' : ''}>${escapeHtml(button)}</button></form>\n`;
}
