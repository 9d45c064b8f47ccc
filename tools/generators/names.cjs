const { updateJson } = require('@nx/devkit');

/** The name `parcel-api` in all notations of the code. */
function spellings(name) {
  const words = name.split('-');
  const pascalCase = words.map((word) => word[0].toUpperCase() + word.slice(1)).join('');
  return {
    name,
    pascalCase,
    camelCase: pascalCase[0].toLowerCase() + pascalCase.slice(1),
    title: words.map((word) => word[0].toUpperCase() + word.slice(1)).join(' '),
  };
}

/** Adds the import path of a project in alphabetical order. */
function addImportPath(tree, project, root) {
  updateJson(tree, 'tsconfig.base.json', (config) => {
    const paths = { ...config.compilerOptions.paths, [`@heliograph/${project}`]: [`./${root}/src/index.ts`] };
    config.compilerOptions.paths = Object.fromEntries(Object.entries(paths).sort(([a], [b]) => (a < b ? -1 : 1)));
    return config;
  });
}

function assertAbsent(tree, root) {
  if (tree.exists(root)) throw new Error(`${root} already exists.`);
}

module.exports = { spellings, addImportPath, assertAbsent };
