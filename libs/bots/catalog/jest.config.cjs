module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'bot-catalog', rootDir: __dirname };
