module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'sms-text', rootDir: __dirname };
