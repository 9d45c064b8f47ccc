import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Upload {
  path: string;
  parts: Map<number, { body: Buffer; etag: string }>;
}

interface Answer {
  status: number;
  content?: string | Buffer;
  headers?: Record<string, string>;
}

const refused = (status: number, code: string): Answer => ({
  status,
  content: `<Error><Code>${code}</Code></Error>`,
  headers: { 'Content-Type': 'application/xml' },
});

/** S3-compatible object storage in memory: single and multipart uploads, downloads and deletions. */
export class ObjectStorage {
  readonly objects = new Map<string, Buffer>();
  readonly uploads = new Map<string, Upload>();
  /** Whether uploads are refused. */
  isBroken = false;
  /** How many parts are stored before uploads are refused. */
  partsUntilBroken = Infinity;
  partsStored = 0;
  /** The number of refused requests. */
  refused = 0;

  private constructor(private readonly server: Server) {
    server.on('request', (request: IncomingMessage, response: ServerResponse) => void this.answer(request, response));
  }

  static async start(): Promise<ObjectStorage> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new ObjectStorage(server);
  }

  get url(): string {
    return `http://user:secret@127.0.0.1:${(this.server.address() as AddressInfo).port}/bucket/reports`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { status, content = '', headers = {} } = this.answerTo(request.method ?? '', pathname, searchParams, body);
    response.writeHead(status, headers).end(content);
  }

  private answerTo(method: string, path: string, query: URLSearchParams, body: Buffer): Answer {
    if (this.isBroken && method !== 'GET') {
      this.refused++;
      return refused(403, 'AccessDenied');
    }
    if (method === 'POST' && query.has('uploads')) {
      const id = randomUUID();
      this.uploads.set(id, { path, parts: new Map() });
      const fields = `<Bucket>bucket</Bucket><UploadId>${id}</UploadId>`;
      return { status: 200, content: `<InitiateMultipartUploadResult>${fields}</InitiateMultipartUploadResult>` };
    }
    const uploadId = query.get('uploadId');
    if (uploadId !== null) return this.answerToUpload(method, uploadId, query, body);
    if (method === 'PUT') {
      this.objects.set(path, body);
      return { status: 200, headers: { ETag: '"1"' } };
    }
    if (method === 'DELETE') {
      this.objects.delete(path);
      return { status: 204 };
    }
    const found = this.objects.get(path);
    return found ? { status: 200, content: found } : refused(404, 'NoSuchKey');
  }

  private answerToUpload(method: string, id: string, query: URLSearchParams, body: Buffer): Answer {
    const upload = this.uploads.get(id);
    if (!upload) return refused(404, 'NoSuchUpload');
    const { path, parts } = upload;
    if (method === 'PUT') {
      if (this.partsStored >= this.partsUntilBroken) {
        this.refused++;
        return refused(403, 'AccessDenied');
      }
      this.partsStored++;
      const etag = `"${createHash('md5').update(body).digest('hex')}"`;
      parts.set(Number(query.get('partNumber')), { body, etag });
      return { status: 200, headers: { ETag: etag } };
    }
    if (method === 'GET') {
      const after = Number(query.get('part-number-marker') ?? 0);
      const listed = [...parts].filter(([number]) => number > after).sort(([a], [b]) => a - b);
      const fields = listed.map(([number, { etag }]) => `<PartNumber>${number}</PartNumber><ETag>${etag}</ETag>`);
      const content = `<ListPartsResult>${fields.map((one) => `<Part>${one}</Part>`).join('')}</ListPartsResult>`;
      return { status: 200, content, headers: { 'Content-Type': 'application/xml' } };
    }
    this.uploads.delete(id);
    if (method === 'DELETE') return { status: 204 };
    const named = [...body.toString().matchAll(/<ETag>(?:&quot;|")?(\w+)(?:&quot;|")?<\/ETag>/g)].map(
      ([, etag]) => `"${etag}"`,
    );
    const stored = [...parts].sort(([a], [b]) => a - b).map(([, part]) => part);
    if (named.join() !== stored.map(({ etag }) => etag).join()) return refused(400, 'InvalidPart');
    this.objects.set(path, Buffer.concat(stored.map((part) => part.body)));
    return { status: 200, content: '<CompleteMultipartUploadResult><ETag>"1"</ETag></CompleteMultipartUploadResult>' };
  }
}
