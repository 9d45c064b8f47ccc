// Runs nx and ESLint on the workspace in one process:
// stdin   {"lint": [{"file", "code"}], "affected": [["file"]]}
// stdout  {"projects": [nx project nodes], "lint": [[rule ids]], "affected": [[project names]]} The files of `lint`
// need not exist.
import { createRequire } from 'node:module';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { createProjectGraphAsync } from '@nx/devkit';
import { ESLint } from 'eslint';

const require = createRequire(import.meta.url);
const { filterAffected } = require('nx/src/project-graph/affected/affected-project-graph');
const { calculateFileChanges } = require('nx/src/project-graph/file-utils');

const root = path.resolve(import.meta.dirname, '../../..');
// Only rules that need no type information, because the given files are not part of a TypeScript program.
const RULES = ['@nx/enforce-module-boundaries', 'no-restricted-imports', 'no-restricted-properties'];

const { lint = [], affected = [] } = JSON.parse(await text(process.stdin));

// Runs first, because the module boundaries rule reads the graph from the cache.
const graph = await createProjectGraphAsync();
// The root contains no code. It is a project only because a release raises the version in its package.json.
const projects = Object.values(graph.nodes).filter(({ data }) => data.root !== '.');
const names = projects.map(({ name }) => name);
const eslint = new ESLint({
  cwd: root,
  ruleFilter: ({ ruleId }) => RULES.includes(ruleId),
  overrideConfig: { files: ['**/*.ts'], languageOptions: { parserOptions: { projectService: false, project: null } } },
});

const lintResults = [];
for (const { file, code } of lint) {
  const [result] = await eslint.lintText(code, { filePath: path.join(root, file) });
  lintResults.push([...new Set(result.messages.map(({ ruleId, message }) => ruleId ?? message))]);
}

const affectedProjects = [];
for (const files of affected) {
  const { nodes } = await filterAffected(graph, calculateFileChanges(files, { files }));
  affectedProjects.push(Object.keys(nodes).filter((name) => names.includes(name)));
}

const answer = { projects, lint: lintResults, affected: affectedProjects };
// The project graph leaves a worker process running.
process.stdout.write(JSON.stringify(answer), () => process.exit(0));
