// All projects in one run, so that workers load shared modules once.
const { readdirSync } = require('node:fs');
const path = require('node:path');
const { globalOptions } = require('./jest.preset.cjs');

const files = ['apps', 'libs', 'tools'].flatMap((folder) =>
  readdirSync(path.join(__dirname, folder), { recursive: true })
    .filter((file) => path.basename(file) === 'jest.config.cjs')
    .map((file) => path.join(__dirname, folder, file)),
);

/** The options of a project, without options that only apply to a whole run. */
function projectConfig(file) {
  const options = Object.entries(require(file));
  return Object.fromEntries(options.filter(([name]) => !(name in globalOptions)));
}

module.exports = { ...globalOptions, rootDir: __dirname, projects: files.sort().map(projectConfig) };
