module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'phone', rootDir: __dirname };
