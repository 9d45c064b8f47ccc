export interface ServerEvent {
  /** `message` if the stream sets no event name. */
  event: string;
  data: string;
  id: string | null;
}

/** Accepts text in chunks and returns the complete events (WHATWG HTML, "Interpreting an event stream"). */
export class SseReader {
  private rest = '';
  private event = '';
  private data: string[] = [];
  private id: string | null = null;

  read(text: string): ServerEvent[] {
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.readLine(line));
  }

  private readLine(line: string): ServerEvent[] {
    if (line === '') return this.complete();
    const colon = line.indexOf(':');
    if (colon === 0) return [];
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') this.event = value;
    else if (field === 'data') this.data.push(value);
    else if (field === 'id' && !value.includes('\0')) this.id = value;
    return [];
  }

  private complete(): ServerEvent[] {
    const { event, data, id } = this;
    this.event = '';
    this.data = [];
    return data.length === 0 ? [] : [{ event: event || 'message', data: data.join('\n'), id }];
  }
}

/**
 * Reads the body of a response as events until it ends. `onBytes` is called for every chunk, comments included, because
 * any chunk shows that the connection is alive.
 */
export async function readEvents(
  response: Response,
  onEvent: (event: ServerEvent) => void,
  onBytes: () => void,
): Promise<void> {
  if (!response.body) return;
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const events = new SseReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    onBytes();
    for (const event of events.read(decoder.decode(value, { stream: true }))) onEvent(event);
  }
}
