module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'api-reference', rootDir: __dirname };
