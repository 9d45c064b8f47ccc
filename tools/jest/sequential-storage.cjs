const asyncHooks = require('node:async_hooks');

/**
 * Takes the place of AsyncLocalStorage in jest-circus, whose tests run one after the other: the store is a variable.
 * jest-circus is loaded again for each test file, and Node.js never releases an AsyncLocalStorage that was used. Every
 * promise of the services under test is slowed down by each of them, which took most of the CPU time after 100 files.
 */
class SequentialStorage {
  getStore() {
    return this.store;
  }

  run(store, callback) {
    const outer = this.store;
    const restore = () => (this.store = outer);
    this.store = store;
    let result;
    try {
      result = callback();
    } catch (error) {
      restore();
      throw error;
    }
    if (typeof result?.then === 'function') return result.finally(restore);
    restore();
    return result;
  }
}

/** `node:async_hooks` for modules that Jest loads. */
module.exports = { ...asyncHooks, AsyncLocalStorage: SequentialStorage };
