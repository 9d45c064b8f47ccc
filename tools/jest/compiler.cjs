// The compiler options for all ways of loading TypeScript in tests.
const { readFileSync } = require('node:fs');
const path = require('node:path');
const typescript = require('typescript');

const root = path.resolve(__dirname, '../..');
const swcOptions = JSON.parse(readFileSync(path.join(root, '.swcrc'), 'utf8'));
delete swcOptions.$schema;
const { paths } = typescript.readConfigFile(path.join(root, 'tsconfig.base.json'), (file) => readFileSync(file, 'utf8'))
  .config.compilerOptions;

/** The file of each import path in tsconfig.base.json. */
const aliases = new Map(Object.entries(paths).map(([alias, [file]]) => [alias, path.join(root, file)]));

module.exports = { root, swcOptions, aliases };
