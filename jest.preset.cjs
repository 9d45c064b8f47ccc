const { readFileSync } = require('node:fs');
const path = require('node:path');
const root = __dirname;
const swc = JSON.parse(readFileSync(path.join(root, '.swcrc'), 'utf8'));
delete swc.$schema;
const { paths } = require('typescript').readConfigFile(path.join(root, 'tsconfig.base.json'), (p) =>
  readFileSync(p, 'utf8'),
).config.compilerOptions;
const moduleNameMapper = Object.fromEntries(
  Object.entries(paths).map(([alias, [file]]) => [`^${alias}$`, path.join(root, file)]),
);
module.exports = {
  testEnvironment: 'node',
  transform: { '^.+\\.ts$': ['@swc/jest', { ...swc, swcrc: false }] },
  moduleFileExtensions: ['ts', 'js', 'json'],
  moduleNameMapper,
  setupFiles: [require.resolve('reflect-metadata')],
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
  testTimeout: 60_000,
  // Every file has a database and queues of its own; much of its time it waits for them.
  maxWorkers: 2,
  reporters: ['default', path.join(root, 'jest.reporter.cjs')],
  // A lib may be tested through the apps alone; that a whole run executes no test is caught by tools/test.mjs.
  passWithNoTests: true,
};
