import type { ServiceDocuments } from './documents';
import { modelOf } from './sdk-model';
import { typescriptFiles } from './typescript';

const TYPESCRIPT = 'libs/sdk/src/generated';

/** Folders that contain only generated files. */
export const GENERATED_FOLDERS = [TYPESCRIPT];

/** The text of every generated file, by its path in the repository. */
export async function generatedFiles(documents: ServiceDocuments): Promise<Record<string, string>> {
  const model = modelOf(documents);
  const typescript = Object.entries(await typescriptFiles(model));
  return Object.fromEntries(typescript.map(([name, text]) => [`${TYPESCRIPT}/${name}`, text]));
}
