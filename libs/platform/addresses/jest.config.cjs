module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'addresses', rootDir: __dirname };
