import { execFile, spawn } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { networkInterfaces, tmpdir } from 'node:os';
import path from 'node:path';
import type { RehearsalContext } from '../rehearsal';

const MAX_OUTPUT_BYTES = 64 * 1_024 * 1_024;
/** Addresses of `engine.sh`: this machine, as containers see it, and the published ports, as this machine sees them. */
const OWN_ENGINE = { hostAddress: '10.212.0.1', publishedAddress: '10.212.0.2' };
const BASE_IMAGES = [
  'node:24-bookworm-slim',
  'nginx:1.30-alpine',
  'postgres:15-bookworm',
  'rabbitmq:4.3',
  'redis:8-bookworm',
];

export interface DockerRun {
  cwd?: string;
  env?: Record<string, string>;
}

/** A Docker engine: the running one, or one of its own if there is none. */
export class DockerEngine {
  private constructor(
    private readonly settings: Record<string, string>,
    /** The address of this machine for containers. */
    readonly hostAddress: string,
    /** The address of published ports for this machine. */
    readonly publishedAddress: string,
  ) {}

  /**
   * Uses the running engine, or starts one with stand-ins for the official images. `--host-address` and `--published-address` describe
   * an engine in another network namespace.
   */
  static async connect(context: RehearsalContext): Promise<DockerEngine> {
    const argument = (name: string): string | undefined => {
      const index = context.args.indexOf(`--${name}`);
      return index < 0 ? undefined : context.args[index + 1];
    };
    const running = new DockerEngine(
      {},
      argument('host-address') ?? bridgeAddress(),
      argument('published-address') ?? '127.0.0.1',
    );
    if (await running.responds()) {
      for (const image of BASE_IMAGES) {
        const present = await running.docker(['image', 'inspect', '--format', '{{.Id}}', image]).catch(() => null);
        if (present === null) await running.docker(['pull', '--quiet', image]);
      }
      return running;
    }
    return DockerEngine.startOwn(context);
  }

  private static async startOwn({ root, log, onEnd }: RehearsalContext): Promise<DockerEngine> {
    const folder = mkdtempSync(path.join(tmpdir(), 'engine-'));
    const script = path.join(root, 'tools/rehearse/standins/engine.sh');
    const run = (command: string): Promise<string> => output('bash', [script, command, folder], {});
    onEnd(async () => void (await run('stop')));
    log('no Docker engine responds: starting one');
    // The engine keeps the output streams of the script open, so its end is awaited, not that of the streams.
    await new Promise<void>((resolve, reject) => {
      const child = spawn('bash', [script, 'start', folder], { stdio: ['ignore', 'ignore', 'inherit'] });
      child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`engine.sh start ended with ${code}`))));
    });
    log('building stand-ins for the official images');
    await run('images');
    return new DockerEngine(
      { DOCKER_HOST: `unix://${folder}/docker.sock`, DOCKER_CONFIG: `${folder}/config` },
      OWN_ENGINE.hostAddress,
      OWN_ENGINE.publishedAddress,
    );
  }

  /** Runs a command of the Docker client. Rejects with its error output if it fails. */
  docker(args: readonly string[], { cwd, env = {} }: DockerRun = {}): Promise<string> {
    return output('docker', args, { cwd, env: { ...this.settings, ...env } });
  }

  /** The environment for a program that runs the Docker client. */
  get environment(): Record<string, string> {
    return this.settings;
  }

  /** The CPU time of a container since its start, with its health checks. */
  async cpuSecondsOf(id: string): Promise<number> {
    const stats = (await this.api(`/containers/${id}/stats?stream=false&one-shot=true`)) as {
      cpu_stats: { cpu_usage: { total_usage: number } };
    };
    return stats.cpu_stats.cpu_usage.total_usage / 1e9;
  }

  private async responds(): Promise<boolean> {
    try {
      await this.docker(['info', '--format', '{{.ServerVersion}}']);
      await this.docker(['compose', 'version']);
      return true;
    } catch {
      return false;
    }
  }

  private api(url: string): Promise<unknown> {
    const host = this.settings['DOCKER_HOST'] ?? process.env['DOCKER_HOST'] ?? 'unix:///var/run/docker.sock';
    return new Promise((resolve, reject) => {
      request({ socketPath: host.replace('unix://', ''), path: url }, (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () => resolve(JSON.parse(body)));
      })
        .once('error', reject)
        .end();
    });
  }
}

/** The address of the bridge of a local engine; loopback if there is none, as with Docker Desktop. */
function bridgeAddress(): string {
  return networkInterfaces()['docker0']?.find(({ family }) => family === 'IPv4')?.address ?? '127.0.0.1';
}

export function output(command: string, args: readonly string[], { cwd, env = {} }: DockerRun): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, maxBuffer: MAX_OUTPUT_BYTES };
    execFile(command, args, options, (error, stdout, stderr) => {
      if (error) reject(new Error(`${command} ${args.slice(0, 5).join(' ')} … failed:\n${stderr.slice(-2_000)}`));
      else resolve(stdout.trim());
    });
  });
}
