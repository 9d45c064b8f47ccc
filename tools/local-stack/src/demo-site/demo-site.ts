import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { DemoBot } from '../demo/demo-bot';
import { DEMO_STYLES, demoPage, demoPolicy } from './demo-page';

const HOST = '127.0.0.1';

/**
 * A site that embeds the bot. `127.0.0.1` is another site than the `localhost` of the gateway, so the widget is a
 * third-party script here, as in production.
 */
export class DemoSite {
  private readonly server: Server;
  private port = 0;

  constructor(
    private readonly gatewayUrl: string,
    private readonly bot: DemoBot,
  ) {
    this.server = createServer((request, response) => this.serve(request, response));
  }

  get url(): string {
    return `http://${HOST}:${this.port}/`;
  }

  /** Listens on a port; 0 takes any free one. */
  async listen(port: number): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(port, HOST, resolve);
    });
    const address = this.server.address();
    if (typeof address === 'object' && address) this.port = address.port;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private serve({ method, url = '/' }: IncomingMessage, response: ServerResponse): void {
    const { pathname, searchParams } = new URL(URL.canParse(url, this.url) ? url : '/', this.url);
    const isRead = method === 'GET' || method === 'HEAD';
    if (isRead && pathname === '/site.css') return answer(response, 200, 'text/css', DEMO_STYLES);
    if (!isRead || pathname !== '/') return answer(response, 404, 'text/plain', 'This site has one page: /\n');
    response.setHeader('Content-Security-Policy', demoPolicy(this.gatewayUrl));
    answer(response, 200, 'text/html', demoPage(this.gatewayUrl, searchParams.get('bot') ?? this.bot.publicId));
  }
}

function answer(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'Content-Type': `${type}; charset=utf-8`,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-cache',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
}
