module.exports = { ...require('../../jest.preset.cjs'), displayName: 'email-api', rootDir: __dirname };
