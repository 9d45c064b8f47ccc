import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PlatformSimulator, type PlatformSimulatorOptions } from './platform-simulator';

export const VERSION = 'v21.0';

export interface GraphAnswer {
  status: number;
  body: Record<string, unknown> & { error?: Record<string, unknown> };
}

export interface Webhook {
  raw: Buffer;
  headers: IncomingHttpHeaders;
}

/** A started simulator, a receiver of its webhooks, and somebody who calls it. */
export class PlatformFixture {
  readonly webhooks: Webhook[] = [];
  hookAnswer = { status: 200, body: '{"ok":true}' };

  private constructor(
    readonly platform: PlatformSimulator,
    private readonly receiver: Server,
  ) {
    receiver.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        this.webhooks.push({ raw: Buffer.concat(chunks), headers: request.headers });
        response.writeHead(this.hookAnswer.status).end(this.hookAnswer.body);
      });
    });
  }

  static async start(options: PlatformSimulatorOptions = {}): Promise<PlatformFixture> {
    const receiver = createServer();
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    const platform = new PlatformSimulator({ hookUrl: `http://127.0.0.1:${port}/hook`, ...options });
    await platform.start();
    return new PlatformFixture(platform, receiver);
  }

  async stop(): Promise<void> {
    await this.platform.stop();
    this.receiver.closeAllConnections();
    await new Promise((resolve) => this.receiver.close(resolve));
  }

  /** `path` after the version. */
  async call(method: string, path: string, body?: unknown, token?: string): Promise<GraphAnswer> {
    const response = await this.request(`${this.platform.url}/${VERSION}${path}`, {
      method,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      token,
    });
    return { status: response.status, body: (await response.json()) as GraphAnswer['body'] };
  }

  request(url: string, { token, headers, ...init }: RequestInit & { token?: string | undefined }): Promise<Response> {
    const authorization = `Bearer ${token ?? this.platform.account.accessToken}`;
    return fetch(url, { ...init, headers: { ...headers, Authorization: authorization } });
  }

  /** A message of any kind, which says the rest itself. */
  send(message: object, to = '+491511234567'): Promise<GraphAnswer> {
    const { product, phoneNumberId } = this.platform.account;
    return this.call('POST', `/${phoneNumberId}/messages`, {
      messaging_product: product,
      recipient_type: 'individual',
      to,
      ...message,
    });
  }

  async upload(content: Blob, name: string, fields: Readonly<Record<string, string>> = {}): Promise<GraphAnswer> {
    const { product, phoneNumberId } = this.platform.account;
    const form = new FormData();
    for (const [key, value] of Object.entries({ messaging_product: product, ...fields })) form.set(key, value);
    form.set('file', content, name);
    const url = `${this.platform.url}/${VERSION}/${phoneNumberId}/media`;
    const response = await this.request(url, { method: 'POST', body: form });
    return { status: response.status, body: (await response.json()) as GraphAnswer['body'] };
  }

  get templatesPath(): string {
    return `/${this.platform.account.businessAccountId}/message_templates`;
  }

  /** The last webhook's body. */
  lastWebhook(): unknown {
    return JSON.parse(this.webhooks.at(-1)?.raw.toString() ?? 'null');
  }
}
