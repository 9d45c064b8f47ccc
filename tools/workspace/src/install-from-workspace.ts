import { copyFileSync, linkSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { outputOf, runCommand, workspaceRoot } from './workspace-copy';

/** The packages of a lock file, by folder. `integrity` identifies the content, regardless of the folder. */
type Packages = Record<string, { integrity?: string }>;

const CHECK = ['ci', '--dry-run', '--json', '--offline', '--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];

/**
 * Installs the packages of a lock file into its folder, as `npm ci --omit=dev --ignore-scripts` does, but with hard links
 * to the files that are installed in the workspace. npm checks that the lock file is complete and in sync with
 * package.json, and selects the packages.
 */
export async function installFromWorkspace(folder: string): Promise<void> {
  const output = outputOf(await runCommand(folder, 'npm', CHECK));
  const [json = ''] = /^\{.*^\}/ms.exec(output) ?? [];
  const { add } = JSON.parse(json) as { add: { path: string }[] };

  const locked = readPackages(path.join(folder, 'package-lock.json'));
  const installed = readPackages(path.join(workspaceRoot, 'node_modules/.package-lock.json'));
  const sources = new Map(Object.entries(installed).map(([source, { integrity }]) => [integrity, source]));
  for (const { path: added } of add) {
    const target = path.relative(realpathSync(folder), added);
    // npm can select another folder than in the workspace, because the lock file contains fewer packages.
    const source = sources.get(locked[target]?.integrity ?? 'none');
    if (source === undefined) throw new Error(`The workspace does not contain the same version of ${target}.`);
    link(path.join(workspaceRoot, source), path.join(folder, target));
  }
}

function readPackages(lockFile: string): Packages {
  return (JSON.parse(readFileSync(lockFile, 'utf8')) as { packages: Packages }).packages;
}

/** Links the files of a package, without the packages that are installed in its own node_modules. */
function link(source: string, target: string): void {
  mkdirSync(target, { recursive: true });
  for (const entry of readdirSync(source, { withFileTypes: true })) {
    const [from, to] = [path.join(source, entry.name), path.join(target, entry.name)];
    if (!entry.isDirectory()) linkFile(from, to);
    else if (entry.name !== 'node_modules') link(from, to);
  }
}

function linkFile(source: string, target: string): void {
  try {
    linkSync(source, target);
  } catch (error) {
    // The temporary folder can be on another file system.
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    copyFileSync(source, target);
  }
}
