module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'email-address', rootDir: __dirname };
