module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'credits', rootDir: __dirname };
