import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** S3-compatible object storage in memory: single and multipart uploads, downloads and deletions. */
export class ObjectStorage {
  readonly objects = new Map<string, Buffer>();
  /** Whether uploads are rejected. */
  isBroken = false;
  private readonly parts = new Map<string, Map<number, Buffer>>();

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
    const upload = searchParams.get('uploadId');
    const send = (status: number, content: string | Buffer = '', headers = {}): void => {
      response.writeHead(status, headers).end(content);
    };
    if (this.isBroken && request.method !== 'GET') return send(403, '<Error><Code>AccessDenied</Code></Error>');
    if (request.method === 'POST' && searchParams.has('uploads')) {
      this.parts.set(pathname, new Map());
      const fields = '<Bucket>bucket</Bucket><UploadId>upload</UploadId>';
      return send(200, `<InitiateMultipartUploadResult>${fields}</InitiateMultipartUploadResult>`);
    }
    if (request.method === 'PUT' && upload) {
      this.parts.get(pathname)?.set(Number(searchParams.get('partNumber')), body);
      return send(200, '', { ETag: `"${searchParams.get('partNumber')}"` });
    }
    if (request.method === 'POST' && upload) {
      const parts = [...(this.parts.get(pathname) ?? [])].sort(([a], [b]) => a - b);
      this.objects.set(pathname, Buffer.concat(parts.map(([, part]) => part)));
      return send(200, '<CompleteMultipartUploadResult><ETag>"1"</ETag></CompleteMultipartUploadResult>');
    }
    if (request.method === 'PUT') {
      this.objects.set(pathname, body);
      return send(200, '', { ETag: '"1"' });
    }
    if (request.method === 'DELETE') {
      this.objects.delete(pathname);
      return send(204);
    }
    const found = this.objects.get(pathname);
    if (!found) return send(404, '<Error><Code>NoSuchKey</Code></Error>', { 'Content-Type': 'application/xml' });
    send(200, found);
  }
}
