// The compiler settings that every way of loading TypeScript in a test shares.
const { readFileSync } = require('node:fs');
const path = require('node:path');
const typescript = require('typescript');

const root = path.resolve(__dirname, '../..');
const swcOptions = JSON.parse(readFileSync(path.join(root, '.swcrc'), 'utf8'));
delete swcOptions.$schema;
const { paths } = typescript.readConfigFile(path.join(root, 'tsconfig.base.json'), (file) => readFileSync(file, 'utf8'))
  .config.compilerOptions;

/** File of each import path of tsconfig.base.json. */
const aliases = new Map(Object.entries(paths).map(([alias, [file]]) => [alias, path.join(root, file)]));

module.exports = { root, swcOptions, aliases };
