import { WorkspaceCopy } from './workspace-copy';

const BOUNDARIES = '@nx/enforce-module-boundaries';
const IMPORTS = 'no-restricted-imports';
const PROPERTIES = 'no-restricted-properties';

/** [what is wrong, the file, its one statement, the rules that must speak up] */
const planted: [string, string, string, string[]][] = [
  [
    'a platform lib that imports a domain lib',
    'libs/phone/src',
    `export { hashKey } from '@heliograph/auth';`,
    [BOUNDARIES],
  ],
  [
    'contracts that import a platform lib',
    'libs/contracts/src',
    `export { migrate } from '@heliograph/database';`,
    [BOUNDARIES],
  ],
  ['contracts that import Nest', 'libs/contracts/src', `export { Injectable } from '@nestjs/common';`, [IMPORTS]],
  ['contracts that import TypeORM', 'libs/contracts/src', `export { Entity } from 'typeorm';`, [IMPORTS]],
  ['a lib that imports an app', 'libs/phone/src', `export { smsApi } from '@heliograph/sms-api';`, [BOUNDARIES]],
  [
    'an app that imports another app',
    'apps/sms-api/src',
    `export { other } from '@heliograph/other-api';`,
    [BOUNDARIES],
  ],
  [
    'a test of an app that imports another app',
    'apps/sms-api/test',
    `export { other } from '@heliograph/other-api';`,
    [BOUNDARIES],
  ],
  [
    'an app that imports the lib of another app',
    'apps/sms-api/src',
    `export { quirk } from '@heliograph/other-quirks';`,
    [BOUNDARIES],
  ],
  [
    'a shared lib that imports the lib of an app',
    'libs/phone/src',
    `export { quirk } from '@heliograph/other-quirks';`,
    [BOUNDARIES],
  ],
  ['production code that imports testing', 'apps/sms-api/src', `export * from '@heliograph/testing';`, [BOUNDARIES]],
  ['production code that imports a tool', 'apps/sms-api/src', `export * from '@heliograph/simulators';`, [BOUNDARIES]],
  ['libs that import each other', 'libs/database/src', `export { METRICS } from '@heliograph/platform';`, [BOUNDARIES]],
  [
    'a path into another project',
    'apps/sms-api/src',
    `export * from '../../../libs/phone/src/country-code';`,
    [BOUNDARIES],
  ],
  ['AMQP outside messaging', 'apps/sms-api/src', `export { connect } from 'amqplib';`, [IMPORTS]],
  ['Redis outside platform', 'libs/phone/src', `export { Redis } from 'ioredis';`, [IMPORTS]],
  ['Redis in messaging', 'libs/messaging/src', `export { Redis } from 'ioredis';`, [IMPORTS]],
  [
    'the environment outside a config file',
    'libs/phone/src',
    `export const region = process.env.REGION;`,
    [PROPERTIES],
  ],
  ['the environment by destructuring', 'libs/phone/src', `export const { env } = process;`, [PROPERTIES]],
  ['the environment by import', 'libs/phone/src', `export { env } from 'node:process';`, [IMPORTS]],
];

/** [what is right, the file, its one statement] */
const allowed: [string, string, string][] = [
  ['an app that imports a lib of its own', 'apps/other-api/src', `export { quirk } from '@heliograph/other-quirks';`],
  ['an app that imports a domain lib', 'apps/other-api/src', `export { hashKey } from '@heliograph/auth';`],
  ['a test that imports testing', 'libs/database/test', `export { until } from '@heliograph/testing';`],
  ['a test that imports a tool', 'apps/sms-api/test', `export * from '@heliograph/simulators';`],
  ['a tool that imports an app', 'tools/workspace/src', `export { smsApi } from '@heliograph/sms-api';`],
];

const workspace = new WorkspaceCopy();
const fileOf = (folder: string, index: number) =>
  `${folder}/planted-${index}${folder.endsWith('/test') ? '.e2e-spec' : ''}.ts`;
/** The rules that spoke up, by file. */
const messages = new Map<string, string[]>();

function addProject(root: string, name: string, tags: string[], source: string): void {
  workspace.write(
    `${root}/project.json`,
    JSON.stringify({ name, projectType: 'library', tags, targets: { lint: {} } }),
  );
  workspace.write(
    `${root}/tsconfig.json`,
    JSON.stringify({ extends: '../../tsconfig.base.json', include: ['src/**/*.ts'] }),
  );
  workspace.write(`${root}/src/index.ts`, source);
}

beforeAll(async () => {
  // A second app with a lib of its own: an app gets its boundaries by being there.
  addProject('libs/other-quirks', 'other-quirks', ['type:domain', 'scope:other-api'], 'export const quirk = 1;\n');
  addProject('apps/other-api', 'other-api', ['type:app', 'scope:other-api'], 'export const other = 1;\n');
  workspace.alias('@heliograph/other-quirks', 'libs/other-quirks/src/index.ts');
  workspace.alias('@heliograph/other-api', 'apps/other-api/src/index.ts');

  const files = [...planted, ...allowed].map(([, folder, statement], index) => {
    const file = fileOf(folder, index);
    workspace.write(file, `${statement}\n`);
    return file;
  });
  const projects = [...new Set(files.map((file) => file.split('/')[1]))].join(',');
  const { output } = await workspace.nx(
    'run-many',
    '-t',
    'lint',
    '-p',
    projects,
    '--output-style=static',
    '--format=json',
  );
  for (const line of output.split('\n')) {
    if (!line.startsWith('[{"filePath"')) continue;
    const results = JSON.parse(line) as { filePath: string; messages: { ruleId: string | null; message: string }[] }[];
    for (const { filePath, messages: found } of results) {
      const file = filePath.slice(workspace.root.length + 1);
      messages.set(file, [...new Set(found.map(({ ruleId, message }) => ruleId ?? message))]);
    }
  }
}, 300_000);

afterAll(() => workspace.remove());

describe('the lint', () => {
  it.each(planted.map(([name, folder, , rules], index) => ({ name, file: fileOf(folder, index), rules })))(
    'refuses $name',
    ({ file, rules }) => {
      expect(messages.get(file)).toEqual(rules);
    },
  );

  it.each(allowed.map(([name, folder], index) => ({ name, file: fileOf(folder, planted.length + index) })))(
    'takes $name',
    ({ file }) => {
      expect(messages.get(file)).toEqual([]);
    },
  );
});
