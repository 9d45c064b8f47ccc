import 'reflect-metadata';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { loadSecretKeys, provision } from './provision';
import { ProvisioningError } from './provisioning-error';
import { emptyReport, showReport } from './report';
import { findTarget, whereTheCallerStands } from './target.config';

const NO_TARGET =
  'No deployment to provision. Start the local stack with `npm start` (set DATA_DIR to what it was started with), or set ' +
  'DATABASE_URL.';

/** The command line with one file. Exit code 0 if it was applied, 1 if not, 2 if the usage was wrong. */
export async function main(root: string, args: readonly string[]): Promise<void> {
  const [file, ...rest] = args;
  if (file === undefined || rest.length > 0 || file.startsWith('-')) {
    console.error('usage: npm run provision -- FILE');
    process.exitCode = 2;
    return;
  }
  if (!(await applyFile(root, file))) process.exitCode = 1;
}

/** Applies a file, and prints what changed and the error, if any. Resolves with false after an error. */
export async function applyFile(root: string, file: string): Promise<boolean> {
  const report = emptyReport();
  let isApplied = true;
  try {
    const target = findTarget(root);
    if (target === null) throw new ProvisioningError([NO_TARGET]);
    const text = await readFile(path.resolve(whereTheCallerStands(), file), 'utf8');
    await provision(target.databaseUrl, text, file, target.keyPrefix, loadSecretKeys(target), report);
  } catch (error) {
    isApplied = false;
    console.error(error instanceof ProvisioningError ? error.message : reasonOf(error));
  }
  for (const line of showReport(report)) console.log(line);
  return isApplied;
}

function reasonOf(error: unknown): string {
  // The error of a refused connection to several addresses has an empty message.
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('\n');
  return error instanceof Error ? error.message : String(error);
}
