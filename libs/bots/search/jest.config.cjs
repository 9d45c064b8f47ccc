module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'bot-search', rootDir: __dirname };
