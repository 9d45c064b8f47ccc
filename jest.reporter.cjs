const { mkdirSync, writeFileSync } = require('node:fs');
const path = require('node:path');

const EXIT_GRACE_MS = 20_000;

/**
 * Writes the counts and the failed files of a run to the file TEST_COUNTS_FILE, for tools/test.mjs. Fails a run that
 * does not exit because a test left a connection or a timer open; Jest would wait forever.
 */
module.exports = class CountsReporter {
  onRunComplete(_contexts, results) {
    const file = process.env.TEST_COUNTS_FILE;
    if (file) {
      const counts = {
        passed: results.numPassedTests,
        // A file that fails to load has no failed test.
        failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
        skipped: results.numPendingTests + results.numTodoTests,
        failedFiles: results.testResults
          .filter(({ numFailingTests, testExecError }) => numFailingTests > 0 || testExecError)
          .map(({ testFilePath }) => testFilePath),
      };
      mkdirSync(path.dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(counts));
    }
    setTimeout(() => {
      console.error('A test left a connection or a timer open. Find it with --detectOpenHandles.');
      process.exit(1);
    }, EXIT_GRACE_MS).unref();
  }
};
