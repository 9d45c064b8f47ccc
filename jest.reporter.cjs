const { mkdirSync, writeFileSync } = require('node:fs');
const path = require('node:path');

/** Leaves a project's counts in tmp/test-results/, where tools/test.mjs adds them up. */
module.exports = class ResultsReporter {
  onRunComplete(contexts, results) {
    const [project] = contexts;
    if (!project) return;
    const folder = path.join(__dirname, 'tmp/test-results');
    mkdirSync(folder, { recursive: true });
    const counts = {
      passed: results.numPassedTests,
      // A file that does not even load has no test that could fail.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    writeFileSync(path.join(folder, `${project.config.displayName.name}.json`), JSON.stringify(counts));
  }
};
