module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'sms-catalog', rootDir: __dirname };
