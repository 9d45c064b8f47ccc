module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'system-mail', rootDir: __dirname };
