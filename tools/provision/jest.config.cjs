module.exports = { ...require('../../jest.preset.cjs'), displayName: 'provision', rootDir: __dirname };
