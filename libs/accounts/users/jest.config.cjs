module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'users', rootDir: __dirname };
