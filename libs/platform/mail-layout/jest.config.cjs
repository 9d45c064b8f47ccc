module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'mail-layout', rootDir: __dirname };
