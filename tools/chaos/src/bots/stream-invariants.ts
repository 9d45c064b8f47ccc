import type { EventStreamReader } from './event-stream-reader';
import type { StoredConversation } from './stored-conversations';

/** A stream delivers every message after its start once and in order, over all its connections. */
export function streamViolations(
  { conversation, received, after }: EventStreamReader,
  stored: StoredConversation | undefined,
): string[] {
  if (!stored || after === null) return [];
  const expected = stored.transcript.slice(stored.transcript.findIndex(({ id }) => id === after) + 1);
  const mismatch = expected.findIndex(
    ({ id, content }, index) => received[index]?.id !== id || received[index].content !== content,
  );
  if (mismatch < 0 && received.length === expected.length) return [];
  const position = mismatch < 0 ? expected.length : mismatch;
  const name = (id: string | undefined): string =>
    id === undefined
      ? 'nothing'
      : `message ${stored.transcript.find((message) => message.id === id)?.seq ?? `${id} (unknown)`}`;
  return [
    `the stream of ${conversation.id} delivered ${received.length} of ${expected.length} messages; ` +
      `it delivered ${name(received[position]?.id)} in place of ${name(expected[position]?.id)}`,
  ];
}
