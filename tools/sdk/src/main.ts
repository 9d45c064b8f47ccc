import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { readDocuments } from './documents';
import { generatedFiles, GENERATED_FOLDERS } from './generated-files';

/** Writes all generated files, and deletes those that are not generated any more. */
export async function writeSdks(root: string): Promise<void> {
  const files = await generatedFiles(await readDocuments());
  for (const folder of GENERATED_FOLDERS) {
    const known = await readdir(path.join(root, folder)).catch(() => [] as string[]);
    for (const name of known) {
      const file = path.join(folder, name);
      if (!(file in files) && !name.startsWith('__')) await rm(path.join(root, file));
    }
  }
  for (const [file, text] of Object.entries(files)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), text);
  }
  console.log(`wrote ${Object.keys(files).length} files of the SDKs`);
}
