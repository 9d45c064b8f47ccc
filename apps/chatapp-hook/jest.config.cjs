module.exports = { ...require('../../jest.preset.cjs'), displayName: 'chatapp-hook', rootDir: __dirname };
