const path = require('node:path');
const { formatFiles, generateFiles } = require('@nx/devkit');
const { addImportPath, assertAbsent, spellings } = require('../names.cjs');

/** Folders of libs whose projects are named without the domain. */
const UNPREFIXED = ['platform', 'accounts', 'money'];
const PREFIXES = { bots: 'bot' };

function projectName(domain, name) {
  if (UNPREFIXED.includes(domain)) return name;
  const prefix = PREFIXES[domain] ?? domain;
  return name.startsWith(`${prefix}-`) ? name : `${prefix}-${name}`;
}

/** Creates libs/<domain>/<name>: a library with one function and its test. */
module.exports = async function lib(tree, { path: target }) {
  const [domain, name] = target.split('/');
  const root = `libs/${target}`;
  assertAbsent(tree, root);
  const project = projectName(domain, name);
  const tags = domain === 'platform' ? ['type:platform', 'scope:shared'] : ['type:domain', `scope:${domain}`];
  generateFiles(tree, path.join(__dirname, 'files'), root, { ...spellings(name), project, root, tags });
  addImportPath(tree, project, root);
  await formatFiles(tree);
};
