const { statSync } = require('node:fs');
const path = require('node:path');
const { default: Sequencer } = require('@jest/test-sequencer');

const tools = path.resolve(__dirname, '..') + path.sep;
const isOfTool = ({ path: file }) => file.startsWith(tools);
const projectOf = ({ context }) => context.config.rootDir;

/**
 * Runs the files of one project after another, so that workers need few shared services at a time. The project with the
 * most tests runs first, so that only small files remain when the first worker is idle. The files of the tools are spread
 * over the run: they start processes, which use the processors while tests of services wait.
 */
module.exports = class ProjectSequencer extends Sequencer {
  sort(tests) {
    const sizes = new Map();
    for (const test of tests) {
      sizes.set(projectOf(test), (sizes.get(projectOf(test)) ?? 0) + statSync(test.path).size);
    }
    const sizeOf = (test) => sizes.get(projectOf(test));
    // A stable sort: within a project, the longest file runs first, as Jest sorts them.
    const sorted = super.sort(tests).sort((a, b) => sizeOf(b) - sizeOf(a) || projectOf(a).localeCompare(projectOf(b)));
    return spread(
      sorted.filter(isOfTool),
      sorted.filter((test) => !isOfTool(test)),
    );
  }
};

/** Inserts `spaced` into `tests` at equal distances. Both lists keep their order. */
function spread(spaced, tests) {
  const left = [...spaced];
  const merged = tests.flatMap((test, index) => {
    const remaining = Math.floor(spaced.length * (1 - (index + 1) / tests.length));
    return [...left.splice(0, left.length - remaining), test];
  });
  return [...merged, ...left];
}
