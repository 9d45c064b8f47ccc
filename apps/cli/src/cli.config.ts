import os from 'node:os';
import path from 'node:path';

/** What the environment tells the command line. */
export interface Environment {
  apiKey: string | undefined;
  baseUrl: string | undefined;
  workspace: string | undefined;
  /** The folder of the credentials. */
  folder: string;
  hasColors: boolean;
}

/** Reads the environment. An empty variable counts as unset. */
export function readEnvironment(env: Record<string, string | undefined> = process.env): Environment {
  return {
    apiKey: env['HELIOGRAPH_API_KEY'] || undefined,
    baseUrl: env['HELIOGRAPH_BASE_URL'] || undefined,
    workspace: env['HELIOGRAPH_WORKSPACE'] || undefined,
    folder: env['HELIOGRAPH_CONFIG_DIR'] || path.join(configHome(env), 'heliograph'),
    hasColors: process.stdout.isTTY && !env['NO_COLOR'] && env['TERM'] !== 'dumb',
  };
}

/** Where programs of this system keep their settings. */
function configHome(env: Record<string, string | undefined>): string {
  if (process.platform === 'win32') return env['APPDATA'] || path.join(os.homedir(), 'AppData/Roaming');
  if (process.platform === 'darwin') return path.join(os.homedir(), 'Library/Application Support');
  return env['XDG_CONFIG_HOME'] || path.join(os.homedir(), '.config');
}
