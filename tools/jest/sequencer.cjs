const { statSync } = require('node:fs');
const { default: Sequencer } = require('@jest/test-sequencer');

/**
 * Runs the files of a project one after another, so that its workers need few shared services at a time, and the project
 * with the most tests first, so that only small files are left when the first worker is done.
 */
module.exports = class ProjectSequencer extends Sequencer {
  sort(tests) {
    const sizes = new Map();
    for (const { path, context } of tests) {
      const project = context.config.rootDir;
      sizes.set(project, (sizes.get(project) ?? 0) + statSync(path).size);
    }
    const sizeOf = ({ context }) => sizes.get(context.config.rootDir);
    // Stable: within a project, the longest file goes first, as Jest sorts them.
    return super
      .sort(tests)
      .sort((a, b) => sizeOf(b) - sizeOf(a) || a.context.config.rootDir.localeCompare(b.context.config.rootDir));
  }
};
