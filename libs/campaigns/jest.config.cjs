module.exports = { ...require('../../jest.preset.cjs'), displayName: 'campaigns', rootDir: __dirname };
