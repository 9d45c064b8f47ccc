module.exports = { ...require('../../jest.preset.cjs'), displayName: 'simulators', rootDir: __dirname };
