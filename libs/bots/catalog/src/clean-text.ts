import { Parser } from 'htmlparser2';
import { PLAIN_BRACKET, protectPlainBrackets } from './plain-brackets';

// What no text needs: control characters but tab and line feed, and the overrides that turn text around unseen.
const UNWANTED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\ufdd0\ufeff]/g;
const SAFE_ADDRESS = /^(?:https?:\/\/|mailto:|tel:)[^\s<>"]+$/i;
/** `[label](address "title")`; an address may hold one pair of brackets. */
const MARKDOWN_LINK = /\[([^[\]\n]{0,2000})\]\(\s{0,20}([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)[^)\n]{0,200}\)/g;
/** What is left of one whose label has brackets of its own. */
const LINK_TARGET = /\]\(\s{0,20}([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)[^)\n]{0,200}\)/g;
const MAX_ROUNDS = 6;
/** Their content is nothing to read. */
const DROPPED = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'head']);
const BREAKS = new Set([
  'br',
  'p',
  'div',
  'li',
  'ul',
  'ol',
  'tr',
  'table',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
]);

/**
 * Makes plain text of whatever an owner has written: markup goes, its words stay, safe links become `[text](address)`.
 * Never an error. What it returns it leaves as it is when it is asked again. Entities stay as they were written, so that
 * nothing which was text becomes markup.
 */
export function cleanText(text: string): string {
  let cleaned = wellFormed(text);
  for (let round = 0; ; round++) {
    // What is left of a tag inside a tag, or of a link inside a link, may be one itself.
    const next = safeLinks(cleaned.includes('<') ? withoutMarkup(cleaned) : cleaned);
    if (next === cleaned) break;
    // Nobody nests so deep but to get through: from here on there is neither markup nor a link.
    cleaned = round < MAX_ROUNDS ? next : next.replaceAll('<', '').replace(/\]\(/g, '] (');
  }
  return cleaned
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** As `cleanText`, on one line. */
export function cleanLine(text: string): string {
  return cleanText(text).replace(/\s+/g, ' ');
}

/** The address when a browser may follow it, else null. */
export function cleanAddress(address: unknown): string | null {
  if (typeof address !== 'string' || address.length > 2_000) return null;
  try {
    const { protocol, href } = new URL(address.trim());
    return protocol === 'https:' || protocol === 'http:' ? href : null;
  } catch {
    return null;
  }
}

function wellFormed(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, '\n').replace(UNWANTED, '');
}

function withoutMarkup(text: string): string {
  const written: string[] = [];
  const links: { address: string | null; from: number }[] = [];
  let dropped = 0;
  const parser = new Parser(
    {
      onopentag(name, { href }) {
        if (DROPPED.has(name)) dropped++;
        else if (BREAKS.has(name)) written.push('\n');
        else if (name === 'a') links.push({ address: addressOf(href), from: written.length });
      },
      onclosetag(name) {
        if (DROPPED.has(name)) dropped = Math.max(0, dropped - 1);
        else if (BREAKS.has(name) && name !== 'br') written.push('\n');
        else if (name === 'a') closeLink(written, links.pop());
      },
      ontext(part) {
        if (dropped === 0) written.push(part);
      },
    },
    { decodeEntities: false },
  );
  parser.end(protectPlainBrackets(text));
  return written.join('').replaceAll(PLAIN_BRACKET, '<');
}

function addressOf(href: string | undefined): string | null {
  const address = href?.trim().replaceAll('&amp;', '&') ?? '';
  return SAFE_ADDRESS.test(address) && !/[()]/.test(address) ? address : null;
}

function closeLink(written: string[], link: { address: string | null; from: number } | undefined): void {
  if (!link?.address) return;
  const label = written.splice(link.from).join('').replace(/[[\]]/g, '').replace(/\s+/g, ' ').trim();
  written.push(label === '' || label === link.address ? link.address : `[${label}](${link.address})`);
}

/** A link to anything but a page, a mailbox or a telephone keeps its words alone. */
function safeLinks(text: string): string {
  if (!text.includes('](')) return text;
  return text
    .replace(MARKDOWN_LINK, (whole, label: string, address: string) => (SAFE_ADDRESS.test(address) ? whole : label))
    .replace(LINK_TARGET, (whole, address: string) => (SAFE_ADDRESS.test(address) ? whole : ']'));
}
