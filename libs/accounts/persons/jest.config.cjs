module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'persons', rootDir: __dirname };
