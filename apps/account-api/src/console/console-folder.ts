import { existsSync } from 'node:fs';
import path from 'node:path';

/** Next to the program in a build, and the result of `nx build console` otherwise. */
const FOLDERS = [path.join(__dirname, 'console'), path.join(__dirname, '../../../../dist/apps/console')];

/** The folder of the built console; undefined if it is not built. */
export function consoleFolder(): string | undefined {
  return FOLDERS.find((folder) => existsSync(path.join(folder, 'index.html')));
}
