// Compiles TypeScript that Jest itself loads: test files, and all files for coverage.
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { createTransformer } = require('@swc/jest');
const { describeProperties } = require('../build/dto-properties.cjs');

const propertiesHash = createHash('sha1')
  .update(readFileSync(require.resolve('../build/dto-properties.cjs')))
  .digest('hex');

module.exports = {
  createTransformer(options) {
    const swc = createTransformer(options);
    return {
      ...swc,
      process: (source, file, jestOptions) => swc.process(describeProperties(source, file), file, jestOptions),
      getCacheKey: (...args) => `${swc.getCacheKey(...args)}-${propertiesHash}`,
    };
  },
};
