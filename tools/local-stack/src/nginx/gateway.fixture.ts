import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@heliograph/harness';
import { until } from '@heliograph/testing';
import { SERVICES } from '../routes';
import { nginxConfig } from './nginx-config';

const NGINX = process.env['NGINX_PATH'] ?? '/usr/sbin/nginx';

interface GatewayOptions {
  /** Additional configuration of an operator. */
  include?: string;
  /** Port of the upstream of all routes. Default: an upstream that returns the headers it received. */
  upstreamPort?: number;
  /** The port of an instance that has ended, beside the upstream. Default: there is none. */
  endedPort?: number;
}

/** Starts a real nginx with the generated configuration and one upstream for all services. */
export class GatewayFixture {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'gateway-'));
  private nginx: ChildProcess | null = null;
  port = 0;

  private constructor(private readonly upstream: Server | null) {}

  static async start({ include = '', upstreamPort, endedPort }: GatewayOptions = {}): Promise<GatewayFixture> {
    const upstream = upstreamPort === undefined ? await startEcho() : null;
    const fixture = new GatewayFixture(upstream);
    const port = upstreamPort ?? (upstream?.address() as AddressInfo).port;
    await fixture.run(include, endedPort === undefined ? [port] : [endedPort, port]);
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

  /** Sends bytes and returns the complete response. */
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
    await until('nginx has exited', () => this.nginx?.exitCode !== null);
    await new Promise((resolve) => (this.upstream ? this.upstream.close(resolve) : resolve(null)));
    rmSync(this.folder, { recursive: true });
  }

  private async run(include: string, ports: readonly number[]): Promise<void> {
    this.port = await freePort();
    const includes = path.join(this.folder, 'include');
    mkdirSync(includes);
    writeFileSync(path.join(includes, 'test.conf'), include);
    const server = nginxConfig(SERVICES, 'static')
      .replace('listen 8080;', `listen 127.0.0.1:${this.port};`)
      .replaceAll(/server [\w-]+:3000;/g, ports.map((port) => `server 127.0.0.1:${port};`).join(' '))
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

async function startEcho(): Promise<Server> {
  const echo = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    request.resume().on('end', () => response.end(JSON.stringify(request.headers)));
  });
  await new Promise<void>((resolve) => echo.listen(0, '127.0.0.1', resolve));
  return echo;
}

if (!existsSync(NGINX)) throw new Error('Install nginx (Debian: apt-get install nginx-light), or set NGINX_PATH.');
