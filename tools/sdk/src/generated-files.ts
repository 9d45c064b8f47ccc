import type { ServiceDocuments } from './documents';
import { postmanCollection } from './postman';
import { pythonFiles } from './python';
import { modelOf } from './sdk-model';
import { toolInputs } from './tool-inputs';
import { typescriptFiles } from './typescript';

const TYPESCRIPT = 'libs/sdk/src/generated';
const PYTHON = 'sdk/python/src/heliograph';
const TOOLS = 'apps/cli/src/generated/inputs.json';
const POSTMAN = 'sdk/postman/heliograph.postman_collection.json';

/** Folders that contain only generated files. */
export const GENERATED_FOLDERS = [TYPESCRIPT];

/** The text of every generated file, by its path in the repository. */
export async function generatedFiles(documents: ServiceDocuments): Promise<Record<string, string>> {
  const model = modelOf(documents);
  const within = (folder: string, files: Record<string, string>): [string, string][] =>
    Object.entries(files).map(([name, text]) => [`${folder}/${name}`, text]);
  return Object.fromEntries([
    ...within(TYPESCRIPT, await typescriptFiles(model)),
    ...within(PYTHON, pythonFiles(model)),
    [POSTMAN, postmanCollection(model)],
    [TOOLS, toolInputs(model)],
  ]);
}
