import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { configurationReference } from './reference';

/** The path of the reference in the repository. */
export const REFERENCE = 'docs/configuration.md';

/** Returns the reference as it is formatted in the repository. */
export async function formattedReference(root: string): Promise<string> {
  const file = path.join(root, REFERENCE);
  return format(configurationReference(), { ...(await resolveConfig(file)), filepath: file });
}

export async function writeReference(root: string): Promise<void> {
  await writeFile(path.join(root, REFERENCE), await formattedReference(root));
  console.log(`wrote ${REFERENCE}`);
}
