import { until } from '@heliograph/testing';

export interface SentEvent {
  event: string;
  id: string | null;
  data: Record<string, unknown>;
}

/** A client for Server-Sent Events according to the HTML standard, limited to the fields that the service sends. */
export class EventStream {
  readonly events: SentEvent[] = [];
  readonly comments: string[] = [];
  retry: number | null = null;
  /** Whether the stream has ended or its connection is broken. */
  ended = false;
  private rest = '';

  private constructor(
    readonly response: Response,
    private readonly abort: AbortController,
  ) {}

  /** Resolves when the headers have arrived. */
  static async open(url: string, headers: Record<string, string>, init: RequestInit = {}): Promise<EventStream> {
    const abort = new AbortController();
    const accept = { Accept: 'text/event-stream' };
    const response = await fetch(url, { ...init, headers: { ...accept, ...headers }, signal: abort.signal });
    const stream = new EventStream(response, abort);
    void stream.read();
    return stream;
  }

  get status(): number {
    return this.response.status;
  }

  of(event: string): SentEvent[] {
    return this.events.filter((sent) => sent.event === event);
  }

  /** The received messages in their order. */
  get messages(): { id: string; role: string; content: string; metadata: Record<string, unknown> }[] {
    return this.of('message').map(({ data }) => data['message'] as EventStream['messages'][number]);
  }

  async waitFor(event: string, count = 1, timeoutMs = 20_000): Promise<SentEvent[]> {
    await until(`${count} events of type ${event} have arrived`, () => this.of(event).length >= count, { timeoutMs });
    return this.of(event);
  }

  close(): void {
    this.abort.abort();
  }

  private async read(): Promise<void> {
    try {
      const decoder = new TextDecoder();
      for await (const chunk of this.response.body ?? []) this.take(decoder.decode(chunk, { stream: true }));
    } catch {
      // The stream was closed by the test or the service, as `ended` shows.
    } finally {
      this.ended = true;
    }
  }

  private take(text: string): void {
    const blocks = (this.rest + text).split('\n\n');
    this.rest = blocks.pop() ?? '';
    for (const block of blocks) this.dispatch(block.split('\n'));
  }

  private dispatch(lines: string[]): void {
    let event = 'message';
    let id: string | null = null;
    const data: string[] = [];
    for (const line of lines) {
      if (line.startsWith(':')) this.comments.push(line.slice(1).trim());
      else if (line.startsWith('event: ')) event = line.slice(7);
      else if (line.startsWith('id: ')) id = line.slice(4);
      else if (line.startsWith('data: ')) data.push(line.slice(6));
      else if (line.startsWith('retry: ')) this.retry = Number(line.slice(7));
    }
    if (data.length > 0) this.events.push({ event, id, data: JSON.parse(data.join('\n')) as Record<string, unknown> });
  }
}
