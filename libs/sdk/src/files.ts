/** A file in a request: a `Blob` or `File`, bytes, a text, or a stream. A call with a stream is made once. */
export type FileInput = Blob | Uint8Array | ReadableStream<Uint8Array> | string | NamedFile;

/** A file with its name and media type. */
export interface NamedFile {
  content: Blob | Uint8Array | ReadableStream<Uint8Array> | string;
  name: string;
  /** Default: that of a `Blob`, or `application/octet-stream`. */
  type?: string;
}

/** A file in a response. Read it once, by one of its methods or as a stream. */
export class FileDownload {
  constructor(private readonly response: Response) {}

  /** The media type. */
  get type(): string {
    return this.response.headers.get('Content-Type') ?? 'application/octet-stream';
  }

  /** The size in bytes, or null if it is not known before the end. */
  get size(): number | null {
    const text = this.response.headers.get('Content-Length');
    return text === null ? null : Number(text);
  }

  /** The file name that the server suggests, or null. */
  get name(): string | null {
    const header = this.response.headers.get('Content-Disposition') ?? '';
    const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header)?.[1];
    if (encoded !== undefined) return decodeURIComponent(encoded);
    return /filename="?([^";]+)"?/i.exec(header)?.[1] ?? null;
  }

  get stream(): ReadableStream<Uint8Array> {
    if (!this.response.body) throw new TypeError('The response has no body.');
    return this.response.body;
  }

  text(): Promise<string> {
    return this.response.text();
  }

  blob(): Promise<Blob> {
    return this.response.blob();
  }

  async bytes(): Promise<Uint8Array> {
    return new Uint8Array(await this.response.arrayBuffer());
  }
}

export interface FormBody {
  body: FormData | ReadableStream<Uint8Array>;
  headers: Record<string, string>;
  /** Whether the body can be sent again. */
  isRepeatable: boolean;
}

/** Encodes fields as multipart/form-data. Values other than files and texts are sent as JSON. */
export function formOf(fields: Readonly<Record<string, unknown>>): FormBody {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  if (entries.some(([, value]) => streamIn(value) !== null)) return streamedForm(entries);
  const form = new FormData();
  for (const [name, value] of entries) {
    const file = namedFile(name, value);
    if (file) form.append(name, blobOf(file), file.name);
    else form.append(name, textOf(value));
  }
  return { body: form, headers: {}, isRepeatable: true };
}

/** The form is encoded while it is sent, so that a stream needs no memory. */
function streamedForm(entries: [string, unknown][]): FormBody {
  const boundary = `heliograph-${crypto.getRandomValues(new Uint32Array(4)).join('-')}`;
  const body = streamOf(parts(entries, boundary));
  return { body, headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` }, isRepeatable: false };
}

async function* parts(entries: [string, unknown][], boundary: string): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  for (const [name, value] of entries) {
    const file = namedFile(name, value);
    const disposition = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"`;
    if (file) {
      const { content, type } = file;
      const header = `${disposition}; filename="${escaped(file.name)}"\r\nContent-Type: ${type ?? 'application/octet-stream'}\r\n\r\n`;
      yield encoder.encode(header);
      yield* content instanceof ReadableStream ? chunksOf(content) : chunksOf(blobOf(file).stream());
    } else {
      yield encoder.encode(`${disposition}\r\n\r\n${textOf(value)}`);
    }
    yield encoder.encode('\r\n');
  }
  yield encoder.encode(`--${boundary}--\r\n`);
}

/** The chunks of a stream. Browsers cannot iterate over a stream. */
export async function* chunksOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
    reader.releaseLock();
  }
}

function streamOf(chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await chunks.return(undefined);
    },
  });
}

function namedFile(field: string, value: unknown): NamedFile | null {
  if (value instanceof Blob) {
    const name = 'name' in value && typeof value.name === 'string' ? value.name : field;
    return { content: value, name, ...(value.type === '' ? {} : { type: value.type }) };
  }
  if (value instanceof Uint8Array || value instanceof ReadableStream) return { content: value, name: field };
  if (typeof value === 'string' && field === 'file') return { content: value, name: field, type: 'text/plain' };
  if (typeof value === 'object' && value !== null && 'content' in value && 'name' in value) return value as NamedFile;
  return null;
}

function streamIn(value: unknown): ReadableStream | null {
  if (value instanceof ReadableStream) return value;
  const content = typeof value === 'object' && value !== null && 'content' in value ? value.content : undefined;
  return content instanceof ReadableStream ? content : null;
}

function blobOf({ content, type }: NamedFile): Blob {
  if (content instanceof Blob && (type === undefined || type === content.type)) return content;
  return new Blob(
    [content as NonNullable<ConstructorParameters<typeof Blob>[0]>[number]],
    type === undefined ? {} : { type },
  );
}

/** Quotes and line breaks as in the forms of browsers. */
function escaped(name: string): string {
  return name.replace(/"/g, '%22').replace(/\r/g, '%0D').replace(/\n/g, '%0A');
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
