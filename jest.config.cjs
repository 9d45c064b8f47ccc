// All projects in one run, so that its workers load once what the projects share.
const { readdirSync } = require('node:fs');
const path = require('node:path');
const { globalOptions } = require('./jest.preset.cjs');

const files = ['apps', 'libs', 'tools'].flatMap((folder) =>
  readdirSync(path.join(__dirname, folder), { recursive: true })
    .filter((file) => path.basename(file) === 'jest.config.cjs')
    .map((file) => path.join(__dirname, folder, file)),
);

/** The options of a project, without those that only a whole run has. */
function projectConfig(file) {
  const options = Object.entries(require(file));
  return Object.fromEntries(options.filter(([name]) => !(name in globalOptions)));
}

module.exports = { ...globalOptions, rootDir: __dirname, projects: files.sort().map(projectConfig) };
