module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'bot-conversations', rootDir: __dirname };
