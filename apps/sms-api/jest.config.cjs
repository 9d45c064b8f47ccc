module.exports = { ...require('../../jest.preset.cjs'), displayName: 'sms-api', rootDir: __dirname };
