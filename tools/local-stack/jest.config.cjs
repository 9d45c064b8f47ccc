module.exports = { ...require('../../jest.preset.cjs'), displayName: 'local-stack', rootDir: __dirname };
