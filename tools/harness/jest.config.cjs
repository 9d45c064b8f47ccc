module.exports = { ...require('../../jest.preset.cjs'), displayName: 'harness', rootDir: __dirname };
