import type { TurnAnswer } from './visitor-conversation';

export interface ServerSentEvent {
  event: string;
  id: string | null;
  data: unknown;
}

/** Parses Server-Sent Events that arrive in arbitrary chunks. */
export class EventStreamParser {
  private rest = '';

  /** Returns the events that are complete; comments are skipped. */
  push(chunk: string): ServerSentEvent[] {
    const blocks = (this.rest + chunk).split('\n\n');
    this.rest = blocks.pop() ?? '';
    return blocks.map(parseBlock).filter((event) => event !== null);
  }
}

/** Parses a turn that was answered as a stream. Throws if the stream ended without an answer. */
export function parseStreamedAnswer(text: string): TurnAnswer {
  const done = new EventStreamParser().push(text).find(({ event }) => event === 'done');
  if (!done) throw new Error('The stream ended without an answer.');
  return done.data as TurnAnswer;
}

function parseBlock(block: string): ServerSentEvent | null {
  const sent: ServerSentEvent = { event: 'message', id: null, data: null };
  const data: string[] = [];
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) sent.event = line.slice(7);
    else if (line.startsWith('id: ')) sent.id = line.slice(4);
    else if (line.startsWith('data: ')) data.push(line.slice(6));
  }
  return data.length === 0 ? null : { ...sent, data: JSON.parse(data.join('\n')) };
}
