module.exports = { ...require('../../jest.preset.cjs'), displayName: 'billing-hook', rootDir: __dirname };
