const { mkdirSync, writeFileSync } = require('node:fs');
const path = require('node:path');

const EXIT_GRACE_MS = 20_000;

/** The number of passed, failed and skipped tests of each project. */
function countsOfProjects(testResults) {
  const projects = {};
  for (const result of testResults) {
    const name = result.displayName?.name ?? '';
    const counts = (projects[name] ??= { passed: 0, failed: 0, skipped: 0 });
    counts.passed += result.numPassingTests;
    // A file that fails to load has no failed test.
    counts.failed += result.testExecError ? 1 : result.numFailingTests;
    counts.skipped += result.numPendingTests + result.numTodoTests;
  }
  return projects;
}

/**
 * Writes the counts of the projects and the failed files of a run to the file TEST_COUNTS_FILE, for
 * tools/jest/run-tests.mjs. Fails a run that does not exit because a test left a connection or a timer open; Jest would
 * wait forever.
 */
module.exports = class CountsReporter {
  onRunComplete(_contexts, { testResults }) {
    const file = process.env.TEST_COUNTS_FILE;
    if (file) {
      const isFailed = ({ numFailingTests, testExecError }) => numFailingTests > 0 || testExecError;
      const counts = {
        projects: countsOfProjects(testResults),
        failedFiles: testResults.filter(isFailed).map(({ testFilePath }) => testFilePath),
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
