const preset = require('../../jest.preset.cjs');

/** file-type and its dependencies are ES modules, which Jest must transpile. */
const ES_MODULES =
  'node_modules/(?:file-type|strtok3|token-types|uint8array-extras|@tokenizer/inflate|@borewit/text-codec)/';

module.exports = {
  ...preset,
  displayName: 'chatapp-api',
  rootDir: __dirname,
  transform: { ...preset.transform, [`${ES_MODULES}.+\\.js$`]: preset.transform['^.+\\.ts$'] },
  transformIgnorePatterns: [`^(?!.*${ES_MODULES}).*/node_modules/`],
};
