module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'chatapp-messages', rootDir: __dirname };
