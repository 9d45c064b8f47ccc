const path = require('node:path');
const { formatFiles, generateFiles } = require('@nx/devkit');
const { addImportPath, assertAbsent, spellings } = require('../names.cjs');
const { connectService } = require('./connect-service.cjs');

/** Creates apps/<name>, a service with one public endpoint and an end-to-end test, and connects it to the system. */
module.exports = async function service(tree, { name }) {
  const root = `apps/${name}`;
  assertAbsent(tree, root);
  generateFiles(tree, path.join(__dirname, 'files'), root, spellings(name));
  addImportPath(tree, name, root);
  connectService(tree, name);
  await formatFiles(tree);
};
