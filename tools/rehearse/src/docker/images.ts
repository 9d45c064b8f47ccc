import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { RehearsalContext } from '../rehearsal';
import { output, type DockerEngine } from './docker-engine';

/** The apps, which are also the names of the services behind the gateway. */
export const APPS = [
  'sms-api',
  'email-api',
  'chatapp-api',
  'chatapp-hook',
  'bot-runtime',
  'account-api',
  'billing-hook',
] as const;
export type Image = (typeof APPS)[number] | 'ops';
export const IMAGES: readonly Image[] = [...APPS, 'ops'];

/** The files of one revision, as the context of builds. */
export class Sources {
  private readonly folder = mkdtempSync(path.join(tmpdir(), 'sources-'));

  private constructor(
    private readonly engine: DockerEngine,
    private readonly revision: string,
  ) {}

  static async of(context: RehearsalContext, engine: DockerEngine, commit: string): Promise<Sources> {
    const revision = await output('git', ['rev-parse', '--short', `${commit}^{commit}`], { cwd: context.root });
    const sources = new Sources(engine, revision);
    context.onEnd(() => rmSync(sources.folder, { recursive: true, force: true }));
    const archive = path.join(sources.folder, '..', `${path.basename(sources.folder)}.tar`);
    await output('git', ['archive', '--output', archive, commit], { cwd: context.root });
    await output('tar', ['-xf', archive, '-C', sources.folder], {});
    rmSync(archive);
    return sources;
  }

  /** Builds an image. Resolves with the duration in seconds. */
  async build(image: Image, version: string): Promise<number> {
    const startedAt = performance.now();
    const target = image === 'ops' ? ['--target', 'ops'] : ['--build-arg', `SERVICE=${image}`];
    const labels = ['--build-arg', `VERSION=${version}`, '--build-arg', `REVISION=${this.revision}`];
    const tag = ['--tag', `heliograph/${image}:${version}`];
    const file = ['--file', 'docker/Dockerfile'];
    await this.engine.docker(['build', '--quiet', ...file, ...target, ...labels, ...tag, '.'], {
      cwd: this.folder,
      env: { DOCKER_BUILDKIT: '1' },
    });
    return (performance.now() - startedAt) / 1_000;
  }

  /** Changes one line of an app, so that its bundle differs. */
  changeOneLine(app: Image): void {
    appendFileSync(path.join(this.folder, 'apps', app, 'src/main.ts'), `process.title = 'changed';\n`);
  }

  /** Copies a file of the revision. */
  copy(file: string, target: string): void {
    cpSync(path.join(this.folder, file), target);
  }
}
