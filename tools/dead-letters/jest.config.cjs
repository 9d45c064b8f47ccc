module.exports = { ...require('../../jest.preset.cjs'), displayName: 'dead-letters', rootDir: __dirname };
