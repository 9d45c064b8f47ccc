import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ProviderSimulator, type ProviderSimulatorOptions } from './provider-simulator';

export const VERSION = 'v21.0';

export interface GraphAnswer {
  status: number;
  body: Record<string, unknown> & { error?: Record<string, unknown> };
}

export interface Webhook {
  raw: Buffer;
  headers: IncomingHttpHeaders;
}

/** A running simulator with a receiver of its webhooks and a client. */
export class ProviderFixture {
  readonly webhooks: Webhook[] = [];
  hookAnswer = { status: 200, body: '{"ok":true}' };

  private constructor(
    readonly provider: ProviderSimulator,
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

  static async start(options: ProviderSimulatorOptions = {}): Promise<ProviderFixture> {
    const receiver = createServer();
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    const { port } = receiver.address() as AddressInfo;
    const provider = new ProviderSimulator({ hookUrl: `http://127.0.0.1:${port}/hook`, ...options });
    await provider.start();
    return new ProviderFixture(provider, receiver);
  }

  async stop(): Promise<void> {
    await this.provider.stop();
    this.receiver.closeAllConnections();
    await new Promise((resolve) => this.receiver.close(resolve));
  }

  /** Sends a request; `path` follows the version. */
  async call(method: string, path: string, body?: unknown, token?: string): Promise<GraphAnswer> {
    const response = await this.request(`${this.provider.url}/${VERSION}${path}`, {
      method,
      headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      token,
    });
    return { status: response.status, body: (await response.json()) as GraphAnswer['body'] };
  }

  request(url: string, { token, headers, ...init }: RequestInit & { token?: string | undefined }): Promise<Response> {
    const authorization = `Bearer ${token ?? this.provider.account.accessToken}`;
    return fetch(url, { ...init, headers: { ...headers, Authorization: authorization } });
  }

  /** Sends a message of any type. */
  send(message: object, to = '+491511234567'): Promise<GraphAnswer> {
    const { product, phoneNumberId } = this.provider.account;
    return this.call('POST', `/${phoneNumberId}/messages`, {
      messaging_product: product,
      recipient_type: 'individual',
      to,
      ...message,
    });
  }

  async upload(content: Blob, name: string, fields: Readonly<Record<string, string>> = {}): Promise<GraphAnswer> {
    const { product, phoneNumberId } = this.provider.account;
    const form = new FormData();
    for (const [key, value] of Object.entries({ messaging_product: product, ...fields })) form.set(key, value);
    form.set('file', content, name);
    const url = `${this.provider.url}/${VERSION}/${phoneNumberId}/media`;
    const response = await this.request(url, { method: 'POST', body: form });
    return { status: response.status, body: (await response.json()) as GraphAnswer['body'] };
  }

  get templatesPath(): string {
    return `/${this.provider.account.businessAccountId}/message_templates`;
  }

  /** Returns the body of the last webhook. */
  lastWebhook(): unknown {
    return JSON.parse(this.webhooks.at(-1)?.raw.toString() ?? 'null');
  }
}
