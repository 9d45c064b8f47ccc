import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { exampleSecrets, exampleSettings } from './example-settings';
import { workspaceRoot } from './workspace-copy';

export interface ComposeService {
  image: string;
  build?: { context: string; dockerfile: string; target?: string; args: Record<string, string> };
  environment?: Record<string, string>;
  env_file?: { path: string; required: boolean }[];
  secrets?: string[];
  depends_on?: Record<string, { condition: string }>;
  volumes?: string[];
  ports?: string[];
  networks: string[];
  command?: string[];
  user?: string;
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  healthcheck?: object;
  logging?: { driver: string; options: Record<string, string> };
  mem_limit?: string;
  pids_limit?: number;
  cpu_shares?: number;
  stop_grace_period?: string;
  profiles?: string[];
  labels?: Record<string, string>;
}

export interface Compose {
  /** The settings that every service gets. */
  'x-settings': Record<string, string>;
  services: Record<string, ComposeService>;
  networks: Record<string, object>;
  volumes: Record<string, object>;
  secrets: Record<string, { file: string }>;
}

export const readDockerFile = (name: string): string => readFileSync(path.join(workspaceRoot, 'docker', name), 'utf8');

export const compose = parse(readDockerFile('compose.yaml'), { merge: true, maxAliasCount: -1 }) as Compose;

/** Expands `${NAME:-default}` in the same way as Compose, with the example variables. */
export function substituted(value: string): string {
  return value.replace(/\$\{(\w+):-([^}]*)\}/g, (_, name: string, rest: string) => exampleSettings[name] || rest);
}

/** A folder with the secrets that `docker/create-secrets.mjs` creates, and values for those that others give to the operator. */
export class SecretsFolder {
  private readonly folder = mkdtempSync(path.join(os.tmpdir(), 'secrets-'));
  readonly path = path.join(this.folder, 'secrets');

  /** Runs the script, and returns what it prints. */
  create(): string {
    const script = path.join(this.folder, 'create-secrets.mjs');
    mkdirSync(this.folder, { recursive: true });
    copyFileSync(path.join(workspaceRoot, 'docker/create-secrets.mjs'), script);
    return execFileSync(process.execPath, [script], { encoding: 'utf8' });
  }

  fillGiven(): void {
    for (const [name, value] of Object.entries(exampleSecrets)) {
      if (this.read()[name] === '') writeFileSync(path.join(this.path, name), value);
    }
  }

  /** The contents of the files by their names. */
  read(): Record<string, string> {
    return Object.fromEntries(
      readdirSync(this.path).map((name) => [name, readFileSync(path.join(this.path, name), 'utf8').trim()]),
    );
  }

  /** The environment of a container: docker/.env, then `environment`, with the secrets in this folder. */
  environmentOf({ environment = {}, env_file: files = [] }: ComposeService): Record<string, string | undefined> {
    const own = Object.entries(environment).map(([name, value]) => [
      name,
      substituted(value).replace('/run/secrets', this.path),
    ]);
    const common = files.some((file) => file.path === '.env') ? exampleSettingsOfFile() : {};
    return { ...common, ...Object.fromEntries(own) };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** The variables of docker/.env.example, without secrets. */
function exampleSettingsOfFile(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(exampleSettings).filter(([name]) => !(name in exampleSecrets)));
}
