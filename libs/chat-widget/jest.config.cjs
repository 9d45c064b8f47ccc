module.exports = { ...require('../../jest.preset.cjs'), displayName: 'chat-widget', rootDir: __dirname };
