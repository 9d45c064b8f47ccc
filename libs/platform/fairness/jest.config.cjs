module.exports = { ...require('../../../jest.preset.cjs'), displayName: 'fairness', rootDir: __dirname };
