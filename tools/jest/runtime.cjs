const { createRequire, isBuiltin } = require('node:module');
const { compileFunction } = require('node:vm');
const JestRuntime = require('jest-runtime').default;
const { dropChangedModules, installLoader, sourceMaps } = require('./native-loader.cjs');
const sequentialAsyncHooks = require('./sequential-storage.cjs');
const { stopAtWorkerEnd } = require('./shared-instances.cjs');

/** Source maps of the modules that Jest or the native loader has compiled. */
class AllSourceMaps extends Map {
  constructor(own) {
    super();
    this.own = own;
  }

  get(file) {
    return this.own.get(file) ?? sourceMaps.get(file);
  }

  *[Symbol.iterator]() {
    yield* sourceMaps;
    yield* this.own;
  }
}

/**
 * Loads the test file as Jest does, and everything that it requires through the `require` of Node.js, so that a worker
 * loads Nest, TypeORM and our libraries once. Module mocks (`jest.mock`) therefore do not affect those modules; this
 * repository uses none. A test file with `@own-modules` in its first comment gets separate modules, loaded by Jest.
 */
module.exports = class SharedModulesRuntime extends JestRuntime {
  constructor(config, environment, resolver, transformer, cacheFS, coverageOptions, testPath, globalConfig) {
    super(config, environment, resolver, transformer, cacheFS, coverageOptions, testPath, globalConfig);
    installLoader(config.cacheDirectory);
    stopAtWorkerEnd();
    if (globalConfig?.watch || globalConfig?.watchAll) dropChangedModules();
    this.testPath = testPath;
    this.hasOwnModules = environment.hasOwnModules;
    this.nativeRequire = createRequire(testPath);
    this.allSourceMaps = new AllSourceMaps(super.getSourceMaps());
    // In the realm of the process: see environment.cjs.
    this.executor.compile = (source, filename) =>
      compileFunction(source, this.executor.injectedModuleParameters, { filename });
    const requireCore = this.coreModule.require.bind(this.coreModule);
    this.coreModule.require = (name) =>
      !this.hasOwnModules && /^(node:)?async_hooks$/.test(name) ? sequentialAsyncHooks : requireCore(name);
    // For test helpers, which do not get a `jest` object from Jest.
    environment.global.jest = this.jestGlobals.jestObjectFor(testPath);
  }

  requireModule(from, moduleName, options, isRequireActual) {
    const isTestFile = moduleName === undefined && from === this.testPath;
    if (this.hasOwnModules || isTestFile || options?.isInternalModule) {
      return super.requireModule(from, moduleName, options, isRequireActual);
    }
    return this.nativeRequire(moduleName === undefined ? from : this.pathOf(from, moduleName));
  }

  /** jest-circus holds the state of one test file; the modules that it requires, such as `expect`, hold none. */
  requireInternalModule(from, moduleName) {
    if (this.hasOwnModules || moduleName === undefined || isBuiltin(moduleName)) {
      return super.requireInternalModule(from, moduleName);
    }
    return createRequire(from)(moduleName);
  }

  requireModuleOrMock(from, moduleName) {
    if (this.hasOwnModules || moduleName === '@jest/globals') return super.requireModuleOrMock(from, moduleName);
    return this.requireModule(from, moduleName);
  }

  pathOf(from, moduleName) {
    return from === this.testPath ? moduleName : createRequire(from).resolve(moduleName);
  }

  getSourceMaps() {
    return this.allSourceMaps;
  }
};
