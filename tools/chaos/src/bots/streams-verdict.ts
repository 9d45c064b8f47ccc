import type { ChatReader } from './chat-reader';
import type { StoredConversation } from './stored-bots';

/** What is wrong with what a tab was told, over all its connections: the transcript behind its beginning, each once, in order. */
export function wrongStream({ chat, told, after }: ChatReader, stored: StoredConversation | undefined): string[] {
  if (!stored || after === null) return [];
  const wanted = stored.transcript.slice(stored.transcript.findIndex(({ id }) => id === after) + 1);
  const at = wanted.findIndex(({ id, content }, index) => told[index]?.id !== id || told[index].content !== content);
  if (at < 0 && told.length === wanted.length) return [];
  const place = at < 0 ? wanted.length : at;
  const name = (id: string | undefined): string =>
    id === undefined
      ? 'nothing'
      : String(stored.transcript.find((message) => message.id === id)?.seq ?? `unknown ${id}`);
  return [
    `the stream of ${chat.id} told ${told.length} of ${wanted.length} messages; in the place of ` +
      `${name(wanted[place]?.id)} it told ${name(told[place]?.id)}`,
  ];
}
