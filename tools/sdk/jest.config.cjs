module.exports = { ...require('../../jest.preset.cjs'), displayName: 'sdk-tools', rootDir: __dirname };
