const { statSync } = require('node:fs');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Runs the files of one project after another, so that workers need few shared services at a time. The project with the
 * most tests runs first, so that only small files remain when the first worker is idle.
 */
module.exports = class ProjectSequencer extends Sequencer {
  sort(tests) {
    const sizes = new Map();
    for (const { path, context } of tests) {
      const project = context.config.rootDir;
      sizes.set(project, (sizes.get(project) ?? 0) + statSync(path).size);
    }
    const sizeOf = ({ context }) => sizes.get(context.config.rootDir);
    // A stable sort: within a project, the longest file runs first, as Jest sorts them.
    return super
      .sort(tests)
      .sort((a, b) => sizeOf(b) - sizeOf(a) || a.context.config.rootDir.localeCompare(b.context.config.rootDir));
  }
};
