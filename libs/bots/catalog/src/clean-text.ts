import { isUrlText, withoutHiddenCharacters } from '@heliograph/service-kit';
import { Parser } from 'htmlparser2';
import { PLAIN_BRACKET, protectPlainBrackets } from './plain-brackets';

// Characters that are removed: control characters except tab and line feed, and invisible overrides and isolates of the
// text direction.
const UNWANTED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ufdd0\ufeff]/g;
const SAFE_ADDRESS = /^(?:https?:\/\/|mailto:|tel:)[^\s<>"]+$/i;
/** `[label](address "title")`; an address may hold one pair of brackets. */
const MARKDOWN_LINK = /\[([^[\]\n]{0,2000})\]\(\s{0,20}([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)[^)\n]{0,200}\)/g;
/** The target of a link whose label contains brackets. */
const LINK_TARGET = /\]\(\s{0,20}([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)[^)\n]{0,200}\)/g;
const MAX_ROUNDS = 6;
/** Elements whose content is not text. */
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
 * Converts text with markup to plain text: tags are removed, their text stays, safe links become `[text](address)`.
 * Never throws. Idempotent. Entities are not decoded, so that escaped text does not become markup.
 */
export function cleanText(text: string): string {
  let cleaned = wellFormed(text);
  for (let round = 0; ; round++) {
    // Removing an inner tag or link can form a new one from the parts around it.
    const next = safeLinks(cleaned.includes('<') ? withoutMarkup(cleaned) : cleaned);
    if (next === cleaned) break;
    // Only an attack nests this deep: stop looking for structure and remove all markup and links.
    cleaned = round < MAX_ROUNDS ? next : next.replaceAll('<', '').replace(/\]\(/g, '] (');
  }
  return cleaned
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

/** As `cleanText`, on one line and without the hidden characters that names must not contain. */
export function cleanLine(text: string): string {
  return cleanText(withoutHiddenCharacters(text)).replace(/\s+/g, ' ');
}

/** Returns the URL if it is safe to open in a browser, else null. Spaces around it are ignored. */
export function cleanAddress(address: unknown): string | null {
  const text = typeof address === 'string' ? address.trim() : null;
  if (!isUrlText(text, 2_000)) return null;
  const { protocol, href } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? href : null;
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

/** Replaces a link to anything but a page, an email address or a phone number by its label. */
function safeLinks(text: string): string {
  if (!text.includes('](')) return text;
  return text
    .replace(MARKDOWN_LINK, (whole, label: string, address: string) => (SAFE_ADDRESS.test(address) ? whole : label))
    .replace(LINK_TARGET, (whole, address: string) => (SAFE_ADDRESS.test(address) ? whole : ']'));
}
