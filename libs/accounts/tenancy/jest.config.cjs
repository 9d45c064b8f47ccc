module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'tenancy', rootDir: __dirname };
