import escapeHtml from 'escape-html';
import { plainText } from '@heliograph/service-kit';

export interface Mail {
  subject: string;
  text: string;
  html: string;
}

/** The parts of an email, as plain text. HTML escaping happens only here. */
export type MailPart =
  | { kind: 'heading' | 'paragraph' | 'note'; text: string }
  | { kind: 'facts'; facts: [label: string, value: string][] }
  /** Omitted if the URL is null or neither http nor https. */
  | { kind: 'button'; label: string; url: string | null };

const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";
// No background or text color, so that the light or dark theme of the reader applies. The greys suit both.
const GREY = '#7a818c';
const ACCENT = '#4f46e5';
const MAX_URL_LENGTH = 2_000;

/** Renders the same content as plain text and as HTML. */
export function composeMail(subject: string, parts: MailPart[]): Mail {
  const body = parts.map(showAsHtml).join('\n');
  return {
    subject: plainText(subject),
    text: `${parts.map(showAsText).filter(Boolean).join('\n\n')}\n`,
    html: `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${toHtml(subject)}</title>
</head>
<body style="margin:0;padding:24px 16px;${FONT};font-size:15px;line-height:1.5">
<div style="max-width:520px;margin:0 auto">
${body}
</div>
</body>
</html>
`,
  };
}

function showAsText(part: MailPart): string {
  switch (part.kind) {
    case 'heading':
    case 'paragraph':
    case 'note':
      return plainText(part.text, 1_000);
    case 'facts':
      return part.facts.map(([label, value]) => `${plainText(label)}: ${plainText(value)}`).join('\n');
    case 'button': {
      const url = safeUrl(part.url);
      return url === null ? '' : `${plainText(part.label)}: ${url}`;
    }
  }
}

function showAsHtml(part: MailPart): string {
  switch (part.kind) {
    case 'heading':
      return `<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${toHtml(part.text)}</h1>`;
    case 'paragraph':
      return `<p style="margin:0 0 16px">${toHtml(part.text)}</p>`;
    case 'note':
      return `<p style="margin:24px 0 0;font-size:13px;color:${GREY}">${toHtml(part.text)}</p>`;
    case 'facts':
      return `<table role="presentation" cellpadding="0" cellspacing="0" style="width:100%;margin:0 0 20px;border-collapse:collapse">
${part.facts.map(([label, value]) => factRow(label, value)).join('\n')}
</table>`;
    case 'button': {
      const url = safeUrl(part.url);
      if (url === null) return '';
      const style = `display:inline-block;padding:10px 20px;border-radius:6px;background:${ACCENT};color:#ffffff;font-weight:600;text-decoration:none`;
      return `<p style="margin:0 0 20px"><a href="${toHtml(url)}" style="${style}">${toHtml(part.label)}</a></p>`;
    }
  }
}

/** Values up to this length fit next to their label on a phone, in characters. */
const MAX_ADJACENT_LENGTH = 20;

/**
 * The value is next to the label and on one line, like an amount or a date. A longer value, such as a number or an
 * address, would break into several lines there, so it is below the label; clients need not support media queries.
 */
function factRow(label: string, value: string): string {
  const cell = 'padding:8px 0;border-bottom:1px solid rgba(128,128,128,.3);vertical-align:top';
  const name = toHtml(label);
  const shown = toHtml(value);
  if (plainText(value).length > MAX_ADJACENT_LENGTH) {
    return `<tr><td colspan="2" style="${cell};overflow-wrap:anywhere"><span style="color:${GREY}">${name}</span><br>${shown}</td></tr>`;
  }
  return `<tr><td style="${cell};color:${GREY};padding-right:16px;word-break:break-word">${name}</td><td style="${cell};text-align:right;white-space:nowrap">${shown}</td></tr>`;
}

/** The URL as a browser parses it; null unless it is http or https. */
function safeUrl(url: string | null): string | null {
  if (url === null || url.length > MAX_URL_LENGTH || !URL.canParse(url)) return null;
  const { protocol, href } = new URL(url);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
}

function toHtml(text: string): string {
  return escapeHtml(plainText(text, 3 * MAX_URL_LENGTH));
}
