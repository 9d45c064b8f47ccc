module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'chatapp-catalog', rootDir: __dirname };
