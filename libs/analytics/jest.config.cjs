module.exports = { ...require('../../jest.preset.cjs'), displayName: 'analytics', rootDir: __dirname };
