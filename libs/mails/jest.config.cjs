module.exports = { ...require('../../jest.preset.cjs'), displayName: 'mails', rootDir: __dirname };
