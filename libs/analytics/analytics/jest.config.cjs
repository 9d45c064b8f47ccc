module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'analytics-analytics', rootDir: __dirname };
