// The executor of the target `test`. One Jest run tests all projects whose results are not in the Nx cache, because
// workers then load shared modules once. Nx caches the result of each project separately.
const { mkdirSync, writeFileSync } = require('node:fs');
const path = require('node:path');

const NONE = { passed: 0, failed: 0, skipped: 0 };

/** The counts of each project are an output of its task, so that Nx also caches them. */
function storeCounts(root, project, counts) {
  const folder = path.join(root, 'tmp/test-results');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${project}.json`), JSON.stringify(counts));
}

/** Resolves with whether the tests of each project have passed, and with a summary for the terminal. */
async function testProjects(root, projects, args) {
  const { runTests, summaryOf } = await import('./run-tests.mjs');
  const run = await runTests(projects, args);
  // Jest also fails without a failed test, for example if a test left a connection open.
  const isIncomplete = run.status !== 0 && run.failedFiles.length === 0;
  return projects.map((project) => {
    const counts = run.projects[project] ?? NONE;
    storeCounts(root, project, counts);
    const success = !isIncomplete && counts.failed === 0 && counts.passed + counts.skipped > 0;
    return { success, terminalOutput: `${project}: ${summaryOf(counts)}\n` };
  });
}

/** Runs the tasks that Nx has found no result for. Resolves with the result of each task, by its id. */
async function runBatch(taskGraph, _options, overrides, { root }) {
  const tasks = Object.values(taskGraph.tasks);
  const startTime = Date.now();
  const projects = tasks.map(({ target }) => target.project);
  const results = await testProjects(root, projects, overrides.__overrides_unparsed__);
  const endTime = Date.now();
  return Object.fromEntries(tasks.map(({ id }, index) => [id, { ...results[index], startTime, endTime }]));
}

/** Runs one task without a batch: `nx test <project> --no-batch`. */
async function runOne({ __unparsed__: args = [] }, { root, projectName }) {
  const [result] = await testProjects(root, [projectName], args);
  return result;
}

module.exports = { runBatch, runOne };
