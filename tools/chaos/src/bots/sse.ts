import type { TurnAnswer } from './chat-records';

export interface SentEvent {
  event: string;
  id: string | null;
  data: unknown;
}

/** Reads Server-Sent Events as they come in, in whatever pieces. */
export class EventParser {
  private rest = '';

  /** The events that are complete now; comments are none. */
  take(text: string): SentEvent[] {
    const blocks = (this.rest + text).split('\n\n');
    this.rest = blocks.pop() ?? '';
    return blocks.map(readBlock).filter((event) => event !== null);
  }
}

/** The answer to a turn whose reply was asked for as a stream. Throws when it ends without one, or with a 5xx. */
export function answerOfStream(text: string): TurnAnswer {
  const done = new EventParser().take(text).find(({ event }) => event === 'done');
  if (!done) throw new Error('the stream ended without an answer');
  return done.data as TurnAnswer;
}

function readBlock(block: string): SentEvent | null {
  const sent: SentEvent = { event: 'message', id: null, data: null };
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) sent.event = line.slice(7);
    else if (line.startsWith('id: ')) sent.id = line.slice(4);
    else if (line.startsWith('data: ')) data.push(line.slice(6));
  }
  return data.length === 0 ? null : { ...sent, data: JSON.parse(data.join('\n')) };
}
