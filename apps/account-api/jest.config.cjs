module.exports = { ...require('../../jest.preset.cjs'), displayName: 'account-api', rootDir: __dirname };
