module.exports = { ...require('../../jest.preset.cjs'), displayName: 'bot-runtime', rootDir: __dirname };
