module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'pacing', rootDir: __dirname };
