module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'webhook-signatures', rootDir: __dirname };
