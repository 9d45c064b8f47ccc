module.exports = { ...require('../../jest.preset.cjs'), displayName: 'signatures', rootDir: __dirname };
