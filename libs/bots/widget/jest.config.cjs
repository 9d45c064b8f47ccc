module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'bot-widget', rootDir: __dirname };
