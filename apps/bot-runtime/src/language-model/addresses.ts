import type { Finding } from '@heliograph/bot-search';

/** A URL ends at brackets and where a script without spaces begins. */
const ADDRESS =
  /(?:https?:\/\/|www\.|mailto:|tel:)[^\s<>()[\]"'`|\\^{}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}。、，！？「」（）]+/giu;
const MAILBOX = /[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;
const MARKDOWN_LINK = /\[([^\][\n]{0,300})\]\(([^()\s]{1,2000})(?:\s[^)\n]{0,200})?\)/gu;
const SENTENCE_END = /[*_.,;:!?…'"’”»。、]+$/u;
const FEWEST_DIGITS = 5;

/** The addresses in the passages: URLs, email addresses, phone numbers. */
export class KnownAddresses {
  private readonly known = new Set<string>();
  private readonly digits: string;

  constructor(passages: readonly Finding[]) {
    const text = passages.map(({ title, text: passage }) => `${title}\n${passage}`).join('\n');
    for (const [address] of text.matchAll(ADDRESS)) this.known.add(canonical(address));
    for (const [mailbox] of text.matchAll(MAILBOX)) this.known.add(canonical(`mailto:${mailbox}`));
    this.digits = text.replace(/[^\d\n]/g, '');
  }

  has(address: string): boolean {
    if (!/^tel:/i.test(address)) return this.known.has(canonical(address));
    const digits = address.replace(/\D/g, '');
    return digits.length >= FEWEST_DIGITS && this.digits.includes(digits);
  }
}

/** Removes links to unknown addresses. Markdown links are replaced with their text, and bare addresses are removed. */
export function withKnownAddresses(text: string, addresses: KnownAddresses): string {
  return text
    .replace(MARKDOWN_LINK, (whole, label: string, address: string) => (addresses.has(address) ? whole : label))
    .replace(ADDRESS, (address: string) => (addresses.has(address) ? address : (SENTENCE_END.exec(address)?.[0] ?? '')))
    .replace(MAILBOX, (mailbox: string) => (addresses.has(`mailto:${mailbox}`) ? mailbox : ''))
    .replace(/(?<=\S) {2,}(?=\S)/g, ' ');
}

function canonical(address: string): string {
  const bare = address
    .trim()
    .replace(SENTENCE_END, '')
    .replace(/^www\./i, 'https://www.');
  try {
    return new URL(bare).href.replace(/\/$/, '');
  } catch {
    return bare.toLowerCase();
  }
}
