// Loads TypeScript with the `require` of Node.js. Modules stay in the cache of the process, so that a Jest worker loads
// each module once instead of once per test file.
const { createHash } = require('node:crypto');
const { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { transformSync, version } = require('@swc/core');
const { describeProperties } = require('../build/dto-properties.cjs');
const { aliases, root, swcOptions } = require('./compiler.cjs');

/** The source map file of each module, in the format of Jest's stack traces. */
const sourceMaps = new Map();
const sizes = new Map();
const optionsHash = hash(version + JSON.stringify(swcOptions));
const propertiesHash = hash(readFileSync(require.resolve('../build/dto-properties.cjs'), 'utf8'));
let cacheFolder;

function hash(text) {
  return createHash('sha1').update(text).digest('hex');
}

/** Returns the JavaScript of a TypeScript file, from the disk cache if its content is unchanged. */
function compile(file) {
  const source = readFileSync(file, 'utf8');
  const cached = path.join(cacheFolder, `${path.basename(file)}-${hash(optionsHash + propertiesHash + file + source)}`);
  sourceMaps.set(file, `${cached}.map`);
  try {
    return readFileSync(`${cached}.js`, 'utf8');
  } catch {
    const { code, map } = transformSync(describeProperties(source, file), {
      ...swcOptions,
      swcrc: false,
      filename: file,
      sourceMaps: true,
    });
    const temporary = `${cached}.${process.pid}`;
    writeFileSync(temporary, map);
    renameSync(temporary, `${cached}.map`);
    writeFileSync(temporary, code);
    renameSync(temporary, `${cached}.js`);
    return code;
  }
}

/** Adds TypeScript, text files and the import paths of tsconfig.base.json to `require`. Repeated calls do nothing. */
function installLoader(cacheDirectory) {
  if (cacheFolder !== undefined) return;
  cacheFolder = path.join(cacheDirectory, 'native-loader');
  mkdirSync(cacheFolder, { recursive: true });
  Module._extensions['.ts'] = (module, file) => {
    const { mtimeMs, size } = statSync(file);
    sizes.set(file, `${mtimeMs}:${size}`);
    module._compile(compile(file), file);
  };
  for (const extension of ['.sql', '.css', '.client.mjs']) {
    Module._extensions[extension] = (module, file) => {
      module.exports = { __esModule: true, default: readFileSync(file, 'utf8') };
    };
  }
  const resolveFilename = Module._resolveFilename;
  Module._resolveFilename = function (request, ...rest) {
    return resolveFilename.call(this, aliases.get(request) ?? request, ...rest);
  };
}

/**
 * Removes the modules of the workspace from the cache when one of them has changed, because watch mode runs all files
 * in one process.
 */
function dropChangedModules() {
  const hasChanged = [...sizes].some(([file, known]) => {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat === undefined || `${stat.mtimeMs}:${stat.size}` !== known;
  });
  if (!hasChanged) return;
  sizes.clear();
  for (const file of Object.keys(require.cache)) {
    if (file.startsWith(root + path.sep) && /\.(ts|sql|css|client\.mjs)$/.test(file)) delete require.cache[file];
  }
}

module.exports = { installLoader, dropChangedModules, sourceMaps };
