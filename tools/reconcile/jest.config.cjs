module.exports = { ...require('../../jest.preset.cjs'), displayName: 'reconcile', rootDir: __dirname };
