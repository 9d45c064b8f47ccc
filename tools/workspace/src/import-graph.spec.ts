import { readFileSync } from 'node:fs';
import path from 'node:path';
import { cyclesOf, importGraph, projectGraph, sourceFiles } from './import-graph';
import { workspaceRoot } from './workspace-copy';

const files = sourceFiles();
const graph = importGraph(files);

describe('the imports', () => {
  it('have no cycles, type-only imports included', () => {
    expect(cyclesOf(graph)).toEqual([]);
  });

  it('have no cycles between projects', () => {
    const projects = projectGraph(graph);
    expect(projects.get('libs/platform/service-kit')).toContain('libs/platform/errors');
    expect(cyclesOf(projects)).toEqual([]);
  });

  it('are checked for cycles between projects whose files have none', () => {
    const errors = 'libs/platform/errors/src';
    const kit = 'libs/platform/service-kit/src';
    const planted = new Map([
      [`${errors}/a.ts`, [`${kit}/b.ts`]],
      [`${kit}/c.ts`, [`${errors}/d.ts`]],
    ]);
    expect(cyclesOf(planted)).toEqual([]);
    expect(cyclesOf(projectGraph(planted))).toEqual([['libs/platform/errors', 'libs/platform/service-kit']]);
  });

  it.each([
    ['two files', { a: ['b'], b: ['a'], c: ['a'] }, [['a', 'b']]],
    ['a file that imports itself', { a: ['a'] }, [['a']]],
    ['a longer cycle', { a: ['b', 'd'], b: ['c'], c: ['a'], d: [] }, [['a', 'b', 'c']]],
    ['none', { a: ['b', 'c'], b: ['c'], c: [] }, []],
  ])('are checked for cycles: %s', (_, imports, cycles) => {
    expect(cyclesOf(new Map(Object.entries(imports)))).toEqual(cycles);
  });

  it('are found in every syntax', () => {
    const file = 'tools/workspace/src/import-graph.spec.ts';
    expect(importGraph([file]).get(file)).toEqual([
      'tools/workspace/src/import-graph.ts',
      'tools/workspace/src/workspace-copy.ts',
    ]);
    // A type-only import through an import path.
    expect(graph.get('libs/testing/src/test-database.ts')).toContain('libs/platform/database/src/index.ts');
  });
});

describe('the controllers', () => {
  it('of apps and libraries import nothing from Express', () => {
    const controllers = files.filter((file) => /^(apps|libs)\/.*\.controller\.ts$/.test(file));
    expect(controllers).toContain('apps/account-api/src/identity/v1-auth/v1-auth.controller.ts');
    const textOf = (file: string) => readFileSync(path.join(workspaceRoot, file), 'utf8');
    expect(controllers.filter((file) => / from 'express'/.test(textOf(file)))).toEqual([]);
  });
});
