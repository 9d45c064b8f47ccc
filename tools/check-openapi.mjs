// Checks OpenAPI documents as their users do: node tools/check-openapi.mjs <folder of JSON files>
// Lints them by Redocly's recommended rules, finds operations and fields without a description and timestamps without a zone, generates types and clients with two generators, and compiles the result
// with TypeScript's strict rules. Prints the problems; the exit code is 1 if there are any.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import openapiTypes, { astToString } from 'openapi-typescript';

const root = path.resolve(import.meta.dirname, '..');
const RULES = {
  // No license, because callers of the API get no license to the software.
  'info-license': 'off',
  // `/contacts/groups/{groupId}` and `/contacts/{contactId}/consents` are ambiguous, but the contract requires both; no
  // contact id is `groups`.
  'no-ambiguous-paths': 'off',
  // The widget script is public.
  'operation-4xx-response': 'off',
};
const COMPILER_OPTIONS = {
  strict: true,
  noEmit: true,
  target: 'es2023',
  module: 'esnext',
  moduleResolution: 'bundler',
  lib: ['es2023', 'dom', 'dom.iterable'],
  types: [],
  skipLibCheck: true,
};
/** What the description of a timestamp says about its zone. */
const ZONE = /RFC 3339|UTC|time zone|offset/;
const PLUGINS = ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk', 'zod'];

const folder = process.argv[2];
if (!folder) throw new Error('usage: check-openapi.mjs <folder>');

// Inside the workspace, so that the compiler finds the packages that generated code imports.
await mkdir(path.join(root, 'tmp'), { recursive: true });
const output = await mkdtemp(path.join(root, 'tmp/openapi-'));
const config = await createConfig({ extends: ['recommended'], rules: RULES });
const problems = [];
try {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json'));
  if (files.length === 0) throw new Error(`${folder} contains no documents`);
  for (const file of files) {
    const name = path.basename(file, '.json');
    const source = await readFile(path.join(folder, file), 'utf8');
    problems.push(...(await lint(name, source)));
    const document = JSON.parse(source);
    problems.push(...undescribed(document).map((problem) => `${name}${problem}`));
    await generate(name, document);
  }
  problems.push(...(await compile()));
} finally {
  await rm(output, { recursive: true, force: true });
}
for (const problem of problems) console.log(problem);
process.exit(problems.length > 0 ? 1 : 0);

async function lint(name, source) {
  const found = await lintFromString({ source, absoluteRef: path.join(output, `${name}.json`), config });
  return found.map(({ ruleId, message, location }) => `${name}${location[0]?.pointer ?? ''}: ${message} (${ruleId})`);
}

/** The operations, fields and parameters without a description, and the timestamps whose description does not state the zone. */
function undescribed(document) {
  const problems = [];
  const check = (pointer, schema, description) => {
    if (!description) problems.push(`${pointer}: no description`);
    else if (schema?.format === 'date-time' && !ZONE.test(description)) problems.push(`${pointer}: no time zone`);
  };
  const follow = (pointer, part) => {
    if (typeof part !== 'object' || part === null) return;
    if (typeof part.properties === 'object') {
      for (const [field, schema] of Object.entries(part.properties))
        check(`${pointer}.${field}`, schema, schema.description);
    }
    for (const [key, inner] of Object.entries(part)) if (key !== 'example') follow(`${pointer}/${key}`, inner);
  };
  follow('/schemas', document.components?.schemas);
  for (const [path, item] of Object.entries(document.paths ?? {})) {
    for (const [method, { parameters = [], description: about }] of Object.entries(item)) {
      if (!about) problems.push(`${path} ${method}: no description`);
      for (const { name, schema, description } of parameters) check(`${path} ${method} ${name}`, schema, description);
    }
  }
  return problems;
}

async function generate(name, document) {
  const target = path.join(output, name);
  await mkdir(target);
  await writeFile(path.join(target, 'types.ts'), astToString(await openapiTypes(structuredClone(document))));
  await writeFile(path.join(target, 'optional.ts'), optionalFields(document));
  await createClient({
    input: document,
    output: path.join(target, 'client'),
    plugins: PLUGINS,
    logs: { level: 'silent' },
  });
}

/** TypeScript that compiles only if callers may leave out every field that the document does not require. */
function optionalFields({ components = {} }) {
  const fields = Object.entries(components.schemas ?? {}).flatMap(([schema, { properties = {}, required = [] }]) =>
    Object.keys(properties)
      .filter((field) => !required.includes(field))
      .map((field) => `Optional<Schemas[${JSON.stringify(schema)}], ${JSON.stringify(field)}>`),
  );
  return `import type { components } from './types';
type Schemas = components['schemas'];
type Optional<T, K extends keyof T> = object extends Pick<T, K> ? true : { required: K };
export const optional: [${fields.join(', ')}] = [${fields.map(() => 'true').join(', ')}];
`;
}

async function compile() {
  const project = path.join(output, 'tsconfig.json');
  await writeFile(project, JSON.stringify({ compilerOptions: COMPILER_OPTIONS, include: ['**/*.ts'] }));
  const tsc = path.join(root, 'node_modules/typescript/bin/tsc');
  const { stdout, status } = spawnSync(process.execPath, [tsc, '-p', project, '--pretty', 'false'], {
    encoding: 'utf8',
    cwd: output,
  });
  return status === 0 ? [] : stdout.trim().split('\n');
}
