import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HostPage {
  html: string;
  headers?: Record<string, string>;
}

export interface SiteRequest {
  path: string;
  headers: IncomingHttpHeaders;
}

/** A site that hosts the widget. For browsers, 127.0.0.1 and 127.0.0.2 are different sites. */
export class HostSite {
  readonly requests: SiteRequest[] = [];
  private readonly pages = new Map<string, HostPage>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<HostSite> {
    const server = createServer();
    const site = new HostSite(server);
    server.on('request', (request, response) => {
      const path = new URL(request.url ?? '/', 'http://site').pathname;
      site.requests.push({ path, headers: request.headers });
      const page = site.pages.get(path);
      // Browsers request the icon of every site.
      response.writeHead(page ? 200 : path === '/favicon.ico' ? 204 : 404, {
        'content-type': 'text/html; charset=utf-8',
        ...page?.headers,
      });
      response.end(page?.html ?? '');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.2', resolve));
    return site;
  }

  /** `http://127.0.0.2:<port>` */
  get origin(): string {
    return `http://127.0.0.2:${(this.server.address() as AddressInfo).port}`;
  }

  /** Serves a page and returns its URL. */
  serve(path: string, page: HostPage): string {
    this.pages.set(path, page);
    return `${this.origin}${path}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Returns the HTML of a page without a favicon, which browsers would otherwise request. */
export const hostHtml = ({ head = '', body = '' }: { head?: string; body?: string } = {}): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>A shop</title>
<link rel="icon" href="data:,">
${head}
</head>
<body>
${body}
</body>
</html>
`;
