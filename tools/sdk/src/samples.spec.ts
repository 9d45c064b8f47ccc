import path from 'node:path';
import ts from 'typescript';
import { ApiView, sdkSample } from '@heliograph/api-reference';
import { readDocuments } from './documents';

const root = path.join(__dirname, '../../..');
const FOLDER = path.join(root, 'tools/sdk/samples');
const OPTIONS: ts.CompilerOptions = {
  allowJs: true,
  checkJs: true,
  noEmit: true,
  strict: true,
  // The samples read settings and first entries, which may be missing.
  strictNullChecks: false,
  skipLibCheck: true,
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: ['node'],
  paths: { '@heliograph/sdk': [path.join(root, 'libs/sdk/src/index.ts')] },
};

/** The samples as files that exist for the compiler only. */
async function readSamples(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  for (const [service, document] of Object.entries(await readDocuments())) {
    const api = new ApiView(document);
    for (const view of api.operations) {
      const sample = sdkSample(api, view, 'http://localhost:8080', 'js');
      if (sample !== null) files.set(path.join(FOLDER, `${service}-${view.anchor}.mjs`), sample);
    }
  }
  return files;
}

/** The problems that a strict compiler finds in programs with the SDK. */
function problemsOf(files: ReadonlyMap<string, string>): string[] {
  const host = ts.createCompilerHost(OPTIONS);
  const { fileExists, readFile, getSourceFile } = host;
  host.fileExists = (name) => files.has(name) || fileExists(name);
  host.readFile = (name) => files.get(name) ?? readFile(name);
  host.getSourceFile = (name, ...others) => {
    const text = files.get(name);
    return text === undefined
      ? getSourceFile(name, ...others)
      : ts.createSourceFile(name, text, ts.ScriptTarget.ES2023, true);
  };
  const program = ts.createProgram([...files.keys()], OPTIONS, host);
  return ts
    .getPreEmitDiagnostics(program)
    .filter(({ file }) => file !== undefined && files.has(file.fileName))
    .map(
      ({ file, messageText }) =>
        `${path.basename(file?.fileName ?? '')}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
    );
}

describe('the samples of the reference with the TypeScript SDK', () => {
  it('compile, and a misspelled field does not', async () => {
    const samples = await readSamples();
    expect(samples.size).toBeGreaterThan(200);
    const misspelled = path.join(FOLDER, 'misspelled.mjs');
    const send = samples.get(path.join(FOLDER, 'sms-api-v1SendSms.mjs'))!;
    const problems = problemsOf(new Map([...samples, [misspelled, send.replace('template_id', 'templateId')]]));
    expect(problems.filter((one) => !one.startsWith('misspelled.mjs'))).toEqual([]);
    expect(problems).toEqual([expect.stringContaining("'templateId' does not exist")]);
  }, 60_000);
});
