import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { until } from '@heliograph/testing';

interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** A process of a built service or of its migration job. */
export class ServiceProcess {
  private output = '';
  private readonly child: ChildProcess;
  private readonly exit: Promise<unknown[]>;

  constructor(
    folder: string,
    script: 'main.js' | 'migrate.js',
    private readonly environment: Record<string, string | undefined>,
  ) {
    this.child = spawn(process.execPath, [script], { cwd: folder, env: { PATH: process.env['PATH'], ...environment } });
    this.exit = once(this.child, 'exit');
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
  }

  /** All that the process has written. Throws an error if a line is not JSON. */
  get lines(): Record<string, unknown>[] {
    return this.output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Resolves with the exit code, or with the signal that ended the process. */
  async ended(): Promise<unknown> {
    const [code, signal] = await this.exit;
    return code ?? signal;
  }

  async kill(): Promise<void> {
    this.signal('SIGKILL');
    await this.exit;
  }

  async get(path: string): Promise<Answer> {
    const response = await fetch(`http://127.0.0.1:${this.environment['PORT']}${path}`);
    return { status: response.status, headers: response.headers, body: await response.json() };
  }

  /** Resolves with the first answer to a path. */
  firstAnswer(path: string): Promise<Answer> {
    return until('the process answers', () => this.get(path).catch(() => null), { timeoutMs: 60_000 });
  }

  async untilLine(message: string, count = 1): Promise<void> {
    const isWritten = (): boolean => this.lines.filter(({ msg }) => msg === message).length >= count;
    await until(`the process has written "${message}"`, isWritten, { timeoutMs: 60_000 });
  }
}
