module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'email-text', rootDir: __dirname };
