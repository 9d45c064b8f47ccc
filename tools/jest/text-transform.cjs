// Converts a text file to a module whose default export is the text.
module.exports = {
  process: (text) => ({
    code: `Object.defineProperty(exports, '__esModule', { value: true });\nexports.default = ${JSON.stringify(text)};`,
  }),
};
