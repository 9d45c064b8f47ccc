module.exports = { ...require('../../jest.preset.cjs'), displayName: 'rehearse', rootDir: __dirname };
