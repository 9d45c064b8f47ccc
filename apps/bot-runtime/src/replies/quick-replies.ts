import type { AvailableBot } from '@heliograph/bot-catalog';
import type { QuickReply } from '@heliograph/bot-conversations';
import type { Finding } from '@heliograph/bot-search';
import { PERSON_FAQ_ID } from './reply';

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

/** Requests a person. An FAQ like the others, because clients know only this type. */
export function personReply(label: string): QuickReply {
  return quickReply(PERSON_FAQ_ID, label);
}

/**
 * Returns the first unique quick replies that are not in `without`, and `last`, which always gets a place; null if there
 * is none.
 */
export function pick(
  replies: readonly QuickReply[],
  without: readonly string[],
  last: QuickReply | null = null,
): QuickReply[] | null {
  const seen = new Set(without);
  const picked: QuickReply[] = [];
  for (const reply of replies) {
    if (picked.length === MAX_QUICK_REPLIES - (last ? 1 : 0)) break;
    if (seen.has(reply.id) || reply.label === '') continue;
    seen.add(reply.id);
    picked.push(reply);
  }
  if (last) picked.push(last);
  return picked.length === 0 ? null : picked;
}

function quickReply(id: string, label: string): QuickReply {
  const characters = [...label.trim().slice(0, 2 * LONGEST_LABEL + 2)];
  const short =
    characters.length > LONGEST_LABEL ? `${characters.slice(0, LONGEST_LABEL - 1).join('')}…` : label.trim();
  return { id, label: short, type: 'faq', action: { type: 'faq', id } };
}
