import type { AvailableBot } from '@heliograph/bot-catalog';
import type { QuickReply } from '@heliograph/bot-conversations';
import type { Finding } from '@heliograph/bot-search';

const MAX_QUICK_REPLIES = 4;
const LONGEST_LABEL = 120;

/** Quick replies for the FAQs among the search results. A label set by the owner of the bot replaces the question. */
export function repliesOf(findings: readonly Finding[], { suggestions }: AvailableBot): QuickReply[] {
  return findings
    .filter(({ kind }) => kind === 'faq')
    .map(({ id, title }) => quickReply(id, suggestions.find((suggestion) => suggestion.id === id)?.label ?? title));
}

/** The bot's default suggestions. */
export function suggestionsOf({ suggestions }: AvailableBot): QuickReply[] {
  return suggestions.map(({ id, label }) => quickReply(id, label));
}

/** Returns the first unique quick replies that are not in `without`; null if none remains. */
export function pick(replies: readonly QuickReply[], without: readonly string[]): QuickReply[] | null {
  const seen = new Set(without);
  const picked: QuickReply[] = [];
  for (const reply of replies) {
    if (picked.length === MAX_QUICK_REPLIES) break;
    if (seen.has(reply.id) || reply.label === '') continue;
    seen.add(reply.id);
    picked.push(reply);
  }
  return picked.length === 0 ? null : picked;
}

function quickReply(id: string, label: string): QuickReply {
  const characters = [...label.trim().slice(0, 2 * LONGEST_LABEL + 2)];
  const short =
    characters.length > LONGEST_LABEL ? `${characters.slice(0, LONGEST_LABEL - 1).join('')}…` : label.trim();
  return { id, label: short, type: 'faq', action: { type: 'faq', id } };
}
