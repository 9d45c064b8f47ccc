import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cyclesOf, importGraph, sourceFiles } from './import-graph';
import { workspaceRoot } from './workspace-copy';

const MAX_LINES = 300;

/** Data files with words, questions and texts of a language. */
const DATA = /^libs\/bots\/search\/src\/(text\/languages|corpus)\//;

const files = sourceFiles();

describe('the imports', () => {
  it('have no cycles, including type-only imports', () => {
    expect(cyclesOf(importGraph(files))).toEqual([]);
  });

  it.each([
    ['two files', { a: ['b'], b: ['a'], c: ['a'] }, [['a', 'b']]],
    ['a file that imports itself', { a: ['a'] }, [['a']]],
    ['a longer cycle', { a: ['b', 'd'], b: ['c'], c: ['a'], d: [] }, [['a', 'b', 'c']]],
    ['none', { a: ['b', 'c'], b: ['c'], c: [] }, []],
  ])('are checked for cycles with %s', (_, graph, cycles) => {
    expect(cyclesOf(new Map(Object.entries(graph)))).toEqual(cycles);
  });

  it('are found in every syntax', () => {
    const file = 'tools/workspace/src/import-graph.spec.ts';
    expect(importGraph([file]).get(file)).toEqual([
      'tools/workspace/src/import-graph.ts',
      'tools/workspace/src/workspace-copy.ts',
    ]);
    // This is a type-only import through an import path.
    expect(importGraph(files).get('libs/testing/src/test-database.ts')).toContain(
      'libs/platform/database/src/index.ts',
    );
  });
});

describe('source files', () => {
  it(`have at most ${MAX_LINES} lines, except data and tests`, () => {
    const isChecked = (file: string) => !DATA.test(file) && !/\.(e2e-)?spec\.tsx?$/.test(file);
    const linesOf = (file: string) => readFileSync(path.join(workspaceRoot, file), 'utf8').split('\n').length - 1;
    const long = files.filter(isChecked).map((file) => [file, linesOf(file)] as const);
    expect(long.filter(([, lines]) => lines > MAX_LINES)).toEqual([]);
  });
});
