const { LegacyFakeTimers, ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Symbols under which jest-circus stores the state of a test file. */
const STATE_SYMBOLS = new Set(['JEST_STATE_SYMBOL', 'EVENT_HANDLERS']);

const testsOf = (block) =>
  block.children.flatMap((child) => (child.type === 'describeBlock' ? testsOf(child) : [child]));

/**
 * Runs test files in the realm of the process instead of a separate VM context: cached modules can be shared only if
 * all test files use the same built-in classes, such as Error and Uint8Array.
 */
module.exports = class SharedRealmEnvironment {
  global = globalThis;
  customExportConditions = ['node', 'node-addons'];

  constructor({ projectConfig: config }, { docblockPragmas }) {
    const { global } = this;
    this.hasOwnModules = 'own-modules' in docblockPragmas;
    this.console = global.console;
    this.exit = process.exit;
    // Removes the state of the previous file, because each file loads jest-circus again.
    for (const symbol of Object.getOwnPropertySymbols(global)) {
      if (STATE_SYMBOLS.has(symbol.description)) delete global[symbol];
    }
    this.moduleMocker = new ModuleMocker(global);
    this.fakeTimers = new LegacyFakeTimers({
      config,
      global,
      moduleMocker: this.moduleMocker,
      timerConfig: { idToRef: (id) => id, refToId: (timer) => timer },
    });
    this.fakeTimersModern = new ModernFakeTimers({ config, global });
  }

  async setup() {}

  async teardown() {
    this.fakeTimers.dispose();
    this.fakeTimersModern.dispose();
    this.global.console = this.console;
    process.exit = this.exit;
  }

  /**
   * Reports a failed `beforeAll` once: the other tests of its block are skipped, and failures of its `afterAll` hooks
   * are ignored, because they clean up objects that do not exist.
   */
  handleTestEvent(event) {
    if (event.name !== 'hook_failure' || event.hook.type !== 'beforeAll') return;
    const block = event.hook.parent;
    const [, ...others] = testsOf(block);
    for (const test of others) {
      test.errors = [];
      test.mode = 'skip';
    }
    for (const hook of block.hooks.filter(({ type }) => type === 'afterAll')) {
      const cleanUp = hook.fn;
      hook.fn = async () => {
        try {
          await cleanUp();
        } catch {
          // A consequence of the failure that is already reported.
        }
      };
    }
  }

  exportConditions() {
    return this.customExportConditions;
  }

  /** No VM context: see runtime.cjs. */
  getVmContext() {
    return null;
  }
};
