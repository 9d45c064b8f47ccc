module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'email-catalog', rootDir: __dirname };
