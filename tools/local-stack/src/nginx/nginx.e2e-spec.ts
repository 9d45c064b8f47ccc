import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@heliograph/harness';
import { until } from '@heliograph/testing';
import { SERVICES } from '../routes';
import { nginxConfig } from './nginx-config';

const NGINX = process.env['NGINX_PATH'] ?? '/usr/sbin/nginx';
const SESSION_TOKEN = 'k3Jd82hsLq0Zp4Tn6Vb1Xc9Wm7Ry5Ua2Ee8Gi';

/** Starts the generated configuration in a real nginx, with one upstream that returns the headers it received. */
class GatewayFixture {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'gateway-'));
  private nginx: ChildProcess | null = null;
  port = 0;

  private constructor(private readonly upstream: Server) {}

  static async start(include = ''): Promise<GatewayFixture> {
    const upstream = createServer((request, response) => {
      response.setHeader('content-type', 'application/json');
      request.resume().on('end', () => response.end(JSON.stringify(request.headers)));
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    const fixture = new GatewayFixture(upstream);
    await fixture.run(include);
    return fixture;
  }

  get log(): string {
    return (
      readFileSync(path.join(this.folder, 'access.log'), 'utf8') +
      readFileSync(path.join(this.folder, 'error.log'), 'utf8')
    );
  }

  async get(
    url: string,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; headers: Headers; body: unknown }> {
    const response = await fetch(`http://127.0.0.1:${this.port}${url}`, { headers, redirect: 'manual' });
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  /** Sends bytes and returns the complete answer. */
  raw(bytes: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const socket = connect(this.port, '127.0.0.1', () => socket.write(bytes));
      let answer = '';
      socket.on('data', (chunk) => (answer += chunk.toString()));
      socket.on('close', () => resolve(answer)).on('error', reject);
    });
  }

  async stop(): Promise<void> {
    this.nginx?.kill('SIGQUIT');
    await until('nginx has ended', () => this.nginx?.exitCode !== null);
    await new Promise((resolve) => this.upstream.close(resolve));
    rmSync(this.folder, { recursive: true });
  }

  private async run(include: string): Promise<void> {
    this.port = await freePort();
    const { port } = this.upstream.address() as AddressInfo;
    const includes = path.join(this.folder, 'include');
    mkdirSync(includes);
    writeFileSync(path.join(includes, 'test.conf'), include);
    const server = nginxConfig(SERVICES)
      .replace('listen 8080;', `listen 127.0.0.1:${this.port};`)
      .replaceAll(/server [\w-]+:3000;/g, `server 127.0.0.1:${port};`)
      .replaceAll('/etc/nginx/gateway/', `${includes}/`)
      .replaceAll('/dev/stdout', path.join(this.folder, 'access.log'))
      .replaceAll('/dev/stderr', path.join(this.folder, 'error.log'));
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
      (kind) => `${kind}_temp_path ${this.folder}/${kind};`,
    );
    const file = path.join(this.folder, 'nginx.conf');
    writeFileSync(
      file,
      `daemon off; worker_processes 1; pid ${this.folder}/pid; error_log ${this.folder}/error.log;
       events { worker_connections 64; }
       http { ${temporary.join(' ')} ${server} }`,
    );
    execFileSync(NGINX, ['-t', '-q', '-c', file], { stdio: 'inherit' });
    this.nginx = spawn(NGINX, ['-c', file], { stdio: 'inherit' });
    await until('nginx listens', async () => (await this.get('/health/ready')).status === 200);
  }
}

if (!existsSync(NGINX)) throw new Error('Install nginx (Debian: apt-get install nginx-light), or set NGINX_PATH.');

describe('the production gateway', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await GatewayFixture.start();
  });
  afterAll(() => gateway?.stop());

  it('logs neither query strings nor tokens of paths', async () => {
    await gateway.get('/sms?from=ACME&var.code=482913');
    await gateway.get(`/api/auth/password-resets/${SESSION_TOKEN}/confirm`);
    await gateway.get('/api/workspaces/0190f7a2-6a52-7000-8000-5d1f1c2b3a49');
    await until('the requests are logged', () => gateway.log.includes('0190f7a2-6a52-7000-8000-5d1f1c2b3a49'));
    const { log } = gateway;
    expect(log).toContain('"path":"/sms"');
    expect(log).toContain('"path":"/api/auth/password-resets/***/confirm"');
    expect(log).not.toContain('482913');
    expect(log).not.toContain(SESSION_TOKEN);
    for (const line of log.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('durationSeconds');
  });

  it.each([
    ['an invalid request line', 'GET\r\n\r\n', 400],
    ['an unknown version', 'GET /sms HTTP/9.9\r\nHost: a\r\n\r\n', 400],
    ['no Host header', 'GET /sms HTTP/1.1\r\n\r\n', 400],
    ['an invalid header', 'GET /sms HTTP/1.1\r\nHost: a b c\r\n\r\n', 400],
    ['two lengths', 'POST /sms HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    ['an unknown transfer encoding', 'POST /sms HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: x\r\n\r\n', 400],
    ['a line that is too long', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 400],
    ['headers that are too large', `GET /sms HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, 400],
    ['TRACE', 'TRACE /sms HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n', 405],
  ])('answers %s in the shape of the API', async (_, bytes, status) => {
    const answer = await gateway.raw(bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toMatch(/content-type: application\/json/i);
    expect(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')))).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it('does not trust forwarded headers of callers', async () => {
    const headers = {
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.example',
    };
    const { body, headers: received } = await gateway.get('/sms', headers);
    expect(body).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'http' });
    expect((body as IncomingHttpHeaders)['x-forwarded-host']).toBe(`127.0.0.1:${gateway.port}`);
    expect(received.get('strict-transport-security')).toBeNull();
  });
});

describe('the production gateway behind a proxy that terminates TLS', () => {
  let gateway: GatewayFixture;
  beforeAll(async () => {
    gateway = await GatewayFixture.start('set_real_ip_from 127.0.0.0/8;');
  });
  afterAll(() => gateway?.stop());

  it('takes address, scheme and host of the caller from the proxy, and sets HSTS', async () => {
    const headers = {
      'x-forwarded-for': '198.51.100.7, 203.0.113.9',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'api.acme.example',
    };
    const { body, headers: received } = await gateway.get('/sms', headers);
    expect(body).toMatchObject({
      host: 'api.acme.example',
      'x-forwarded-for': '203.0.113.9',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'api.acme.example',
    });
    expect(received.get('strict-transport-security')).toBe('max-age=31536000');
    const missing = await gateway.get('/nothing', headers);
    expect(missing).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    expect(missing.headers.get('strict-transport-security')).toBe('max-age=31536000');
    expect(missing.headers.get('x-content-type-options')).toBe('nosniff');
  });
});
