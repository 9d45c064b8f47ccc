const { mkdirSync, writeFileSync } = require('node:fs');
const path = require('node:path');

const EXIT_GRACE_MS = 10_000;

/**
 * Leaves a project's counts in tmp/test-results/, where tools/test.mjs adds them up, and fails a run that does not end
 * because a test left a connection or a timer open: Jest by itself would wait for ever.
 */
module.exports = class ResultsReporter {
  onRunComplete(contexts, results) {
    const [project] = contexts;
    if (!project) return;
    const { name } = project.config.displayName;
    const folder = path.join(__dirname, 'tmp/test-results');
    mkdirSync(folder, { recursive: true });
    const counts = {
      passed: results.numPassedTests,
      // A file that does not even load has no test that could fail.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    writeFileSync(path.join(folder, `${name}.json`), JSON.stringify(counts));
    setTimeout(() => {
      console.error(`${name}: a test left something open. Find it with --detectOpenHandles.`);
      process.exit(1);
    }, EXIT_GRACE_MS).unref();
  }
};
