const path = require('node:path');
const { aliases, root, swcOptions } = require('./tools/jest/compiler.cjs');

// For coverage, Jest must load and instrument the modules itself, again for each test file.
const hasCoverage = process.argv.some((argument) => /^--(collect)?coverage/i.test(argument));

const loadedOnce = {
  testEnvironment: path.join(root, 'tools/jest/environment.cjs'),
  runtime: path.join(root, 'tools/jest/runtime.cjs'),
};

const projectOptions = {
  ...(hasCoverage ? { testEnvironment: 'node' } : loadedOnce),
  moduleNameMapper: Object.fromEntries([...aliases].map(([alias, file]) => [`^${alias}$`, file])),
  transform: {
    '^.+\\.ts$': [path.join(root, 'tools/jest/swc-transform.cjs'), { ...swcOptions, swcrc: false }],
    '^.+\\.(sql|css|client\\.mjs)$': path.join(root, 'tools/jest/text-transform.cjs'),
  },
  moduleFileExtensions: ['ts', 'js', 'json'],
  setupFiles: [require.resolve('reflect-metadata')],
  testMatch: ['**/*.spec.ts', '**/*.e2e-spec.ts'],
};

const globalOptions = {
  // Longer than two waits of `until`.
  testTimeout: 150_000,
  // One more than the two cores of the smallest CI machine, because tests often wait for servers.
  maxWorkers: 3,
  testSequencer: path.join(root, 'tools/jest/sequencer.cjs'),
  globalTeardown: path.join(root, 'tools/jest/global-teardown.cjs'),
  // Before a worker ends, it stops the services that its files shared.
  workerGracefulExitTimeout: 30_000,
  reporters: ['default', path.join(root, 'jest.reporter.cjs')],
};

module.exports = { ...projectOptions, ...globalOptions };
Object.defineProperty(module.exports, 'globalOptions', { value: globalOptions });
