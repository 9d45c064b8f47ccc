module.exports = { ...require('../../jest.preset.cjs'), displayName: 'ops', rootDir: __dirname };
