module.exports = { ...require('../../jest.preset.cjs'), displayName: 'contacts', rootDir: __dirname };
