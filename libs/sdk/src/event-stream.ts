import { chunksOf } from './files';

/** An event of a stream of server-sent events. */
export interface ServerEvent {
  event: string;
  data: unknown;
  id: string | null;
}

/** The longest event: a stream that never ends an event is refused. */
const MAX_EVENT_CHARACTERS = 1_000_000;

/** Reads server-sent events until the stream ends. `data` is parsed JSON. */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent> {
  if (!response.body) return;
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of chunksOf(response.body)) {
    rest += decoder.decode(chunk, { stream: true });
    if (rest.length > MAX_EVENT_CHARACTERS) throw new RangeError('An event of the stream is too long.');
    const blocks = rest.split(/\r?\n\r?\n/);
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const event = parseBlock(block);
      if (event) yield event;
    }
  }
}

function parseBlock(block: string): ServerEvent | null {
  const fields = new Map<string, string>();
  for (const line of block.split(/\r?\n/)) {
    const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
    // Comments have no name.
    if (name === '') continue;
    const known = fields.get(name);
    fields.set(name, known === undefined ? value : `${known}\n${value}`);
  }
  const data = fields.get('data');
  if (data === undefined) return null;
  return { event: fields.get('event') ?? 'message', data: JSON.parse(data) as unknown, id: fields.get('id') ?? null };
}
