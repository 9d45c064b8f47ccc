import { createHash } from 'node:crypto';
import escapeHtml from 'escape-html';
import { plainText } from './plain-text';
import { HttpResult } from '../http/http-result';

/** Text of which parts are highlighted, such as names of users, or links to other pages. */
export type RichText = readonly (string | { strong: string } | { link: string; path: string })[];

export interface PageField {
  name: string;
  label: string;
  type: 'email' | 'password' | 'text';
  autocomplete: string;
  value?: string;
  hint?: string;
  /** Why the previous value was refused. */
  problem?: string;
  minLength?: number;
  maxLength?: number;
}

export interface PageForm {
  /** Path to which the form is sent; by default the address of the page. */
  action?: string;
  button: string;
  /** Whether the button is less prominent than the text. */
  isSecondary?: boolean;
  /** Values of hidden fields by name, such as a token, which is then not in the address of the next page. */
  hidden?: Readonly<Record<string, string>>;
  /** Email address of the account, for the password manager of the browser. */
  username?: string;
  fields?: readonly PageField[];
}

/** A page of one card, for people who follow a link of an email. */
export interface Page {
  status?: number;
  mark: 'mail' | 'key' | 'people' | 'info' | 'done' | 'problem';
  title: string;
  text: RichText;
  facts?: readonly (readonly [label: string, value: string])[];
  form?: PageForm;
  note?: RichText;
  /** Headers beside those of every page. */
  headers?: Readonly<Record<string, string>>;
}

const STYLE = `
:root{color-scheme:light dark;--page:#f4f5f7;--card:#fff;--text:#1b1f27;--soft:#5c6470;--line:#e3e6ea;--edge:#8a919c;--field:#fff;--accent:#4f46e5;--accent-text:#fff;--hover:#4338ca;--done:#067647;--done-soft:#e3f6ec;--problem:#b42318;--problem-soft:#fdebe9;--accent-soft:#ecebfd}
@media (prefers-color-scheme:dark){:root{--page:#101216;--card:#191c22;--text:#eef0f3;--soft:#a3abb8;--line:#2b3039;--edge:#6b7380;--field:#12151a;--accent:#8f8aff;--accent-text:#12131a;--hover:#a7a3ff;--done:#5fd39a;--done-soft:#12301f;--problem:#ff9a8f;--problem-soft:#3a1a17;--accent-soft:#24244a}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100svh;display:grid;place-items:center;padding:24px 16px;background:var(--page);color:var(--text);font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;-webkit-text-size-adjust:100%}
main{width:100%;max-width:440px;padding:36px 32px;background:var(--card);border:1px solid var(--line);border-radius:16px;overflow-wrap:anywhere;box-shadow:0 1px 2px rgba(0,0,0,.04),0 12px 32px rgba(0,0,0,.06)}
header{text-align:center}
svg{display:block;width:52px;height:52px;margin:0 auto 20px;padding:13px;border-radius:50%;fill:none;stroke:currentColor;stroke-width:2;stroke-linecap:round;stroke-linejoin:round;color:var(--accent);background:var(--accent-soft)}
svg.done{color:var(--done);background:var(--done-soft)}
svg.problem{color:var(--problem);background:var(--problem-soft)}
h1{margin:0 0 10px;font-size:22px;line-height:1.3;letter-spacing:-.01em;text-wrap:balance}
p{margin:0;text-wrap:pretty}
strong{font-weight:600}
a{color:var(--accent);text-underline-offset:3px}
a:hover{color:var(--hover)}
a:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:2px}
dl{margin:24px 0 0;border-top:1px solid var(--line)}
dl div{display:flex;flex-wrap:wrap;gap:0 16px;justify-content:space-between;padding:10px 0;border-bottom:1px solid var(--line);font-size:15px}
dt{flex:none;color:var(--soft)}
dd{max-width:100%;margin:0 0 0 auto;text-align:right}
form{margin:26px 0 0}
label{display:block;margin:0 0 6px;font-size:15px;font-weight:600}
.field{margin:0 0 18px}
input{display:block;width:100%;min-height:48px;padding:10px 14px;border:1px solid var(--edge);border-radius:10px;background:var(--field);color:inherit;font:inherit}
input[hidden]{display:none}
input[aria-invalid]{border-color:var(--problem)}
input:focus-visible{outline:3px solid var(--accent);outline-offset:1px}
.hint{margin-top:6px;font-size:14px;color:var(--soft)}
.refused{margin-top:6px;font-size:14px;color:var(--problem)}
button{width:100%;min-height:48px;padding:12px 20px;border:0;border-radius:10px;background:var(--accent);color:var(--accent-text);font:inherit;font-weight:600;cursor:pointer}
button:hover{background:var(--hover)}
button.secondary{background:transparent;color:var(--text);box-shadow:inset 0 0 0 1px var(--edge)}
button.secondary:hover{background:var(--page)}
button:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
.note{margin-top:20px;font-size:14px;color:var(--soft);text-align:center}
@media (max-width:420px){main{padding:32px 22px}}
`;

const MARKS = {
  mail: '<path d="M4 6h16v12H4z"/><path d="m4 7 8 6 8-6"/>',
  key: '<circle cx="8" cy="15" r="4"/><path d="m11 12 8.5-8.5"/><path d="m16 7 3 3"/>',
  people:
    '<circle cx="9" cy="8" r="3.5"/><path d="M3 20c0-3.3 2.7-6 6-6s6 2.7 6 6"/><path d="M18 8v6"/><path d="M15 11h6"/>',
  info: '<path d="M12 11v8"/><path d="M12 5.5h.01"/>',
  done: '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
  problem: '<path d="M12 4.5v10"/><path d="M12 19.5h.01"/>',
} as const;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
export const PAGE_HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
  'Cache-Control': 'no-store',
  // Other sites never get the address of a page, which contains the token. With no-referrer, forms would have no Origin.
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'X-Robots-Tag': 'noindex',
} as const;

const MAX_TEXT_LENGTH = 1_000;

/** Renders a page that needs no script and loads no other resources. */
export function renderPage(page: Page): HttpResult<string> {
  return new HttpResult({
    status: page.status ?? 200,
    headers: { ...PAGE_HEADERS, ...page.headers },
    body: pageHtml(page),
  });
}

export function pageHtml({ mark, title, text, facts = [], form, note, ...page }: Page): string {
  const kind = mark === 'done' || mark === 'problem' ? ` class="${mark}"` : '';
  const role = mark === 'done' ? ' role="status"' : (page.status ?? 200) >= 400 ? ' role="alert"' : '';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escape(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<header>
<svg${kind} viewBox="0 0 24 24" aria-hidden="true">${MARKS[mark]}</svg>
<h1>${escape(title)}</h1>
<p${role}>${richText(text)}</p>
</header>
${facts.length === 0 ? '' : `<dl>\n${facts.map(showFact).join('\n')}\n</dl>\n`}${form ? showForm(form) : ''}${note ? `<p class="note">${richText(note)}</p>\n` : ''}</main>
</body>
</html>
`;
}

function showFact([label, value]: readonly [string, string]): string {
  return `<div><dt>${escape(label)}</dt><dd>${escape(value)}</dd></div>`;
}

function showForm({ action, button, isSecondary = false, hidden = {}, username, fields = [] }: PageForm): string {
  const target = action === undefined ? '' : ` action="${escape(action)}"`;
  const inputs = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">\n`,
  );
  if (username !== undefined) {
    inputs.push(`<input name="email" autocomplete="username" value="${escape(username)}" readonly hidden>\n`);
  }
  return `<form method="post"${target}>
${inputs.join('')}${fields.map(showField).join('')}<button${isSecondary ? ' class="secondary"' : ''}>${escape(button)}</button>
</form>
`;
}

function showField(field: PageField): string {
  const { name, label, type, autocomplete, value, hint, problem, minLength, maxLength } = field;
  const described = [
    hint === undefined ? [] : [`${name}-hint`],
    problem === undefined ? [] : [`${name}-problem`],
  ].flat();
  const attributes = [
    `id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}"`,
    'required',
    ...(value === undefined ? [] : [`value="${escape(value)}"`]),
    ...(minLength === undefined ? [] : [`minlength="${minLength}"`]),
    ...(maxLength === undefined ? [] : [`maxlength="${maxLength}"`]),
    ...(described.length === 0 ? [] : [`aria-describedby="${described.join(' ')}"`]),
    ...(problem === undefined ? [] : ['aria-invalid="true" autofocus']),
  ];
  return `<div class="field">
<label for="${name}">${escape(label)}</label>
<input ${attributes.join(' ')}>
${hint === undefined ? '' : `<p class="hint" id="${name}-hint">${escape(hint)}</p>\n`}${problem === undefined ? '' : `<p class="refused" id="${name}-problem" role="alert">${escape(problem)}</p>\n`}</div>
`;
}

function richText(pieces: RichText): string {
  return pieces.map(showPiece).join('');
}

function showPiece(piece: RichText[number]): string {
  if (typeof piece === 'string') return escapeHtml(piece);
  if ('strong' in piece) return `<strong>${escape(piece.strong)}</strong>`;
  return `<a href="${escape(piece.path)}">${escape(piece.link)}</a>`;
}

/** Also removes what changes the direction of the text or makes it invisible. */
function escape(text: string): string {
  return escapeHtml(plainText(text, MAX_TEXT_LENGTH));
}
