import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { preProcessFile } from 'typescript';
import { workspaceRoot } from './workspace-copy';

const SKIPPED = new Set(['node_modules', 'dist']);
const TEST = /\.(spec|e2e-spec|fixture)\.tsx?$|\/test\//;

/** The TypeScript files below apps, libs and tools, relative to the workspace. */
export function sourceFiles(): string[] {
  const below = (folder: string): string[] =>
    readdirSync(path.join(workspaceRoot, folder), { withFileTypes: true }).flatMap((entry) => {
      const file = `${folder}/${entry.name}`;
      if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : below(file);
      return /\.tsx?$/.test(entry.name) && !entry.name.endsWith('.d.ts') ? [file] : [];
    });
  return ['apps', 'libs', 'tools'].flatMap(below);
}

/** The files that each file imports, including type-only imports. npm packages are omitted. */
export function importGraph(files: string[]): Map<string, string[]> {
  const { compilerOptions } = JSON.parse(readFileSync(path.join(workspaceRoot, 'tsconfig.base.json'), 'utf8')) as {
    compilerOptions: { paths: Record<string, [string]> };
  };
  const fileOf = (importer: string, request: string): string | null => {
    const alias = compilerOptions.paths[request];
    if (alias) return path.normalize(alias[0]);
    return request.startsWith('.') ? resolved(path.join(path.dirname(importer), request)) : null;
  };
  return new Map(
    files.map((file) => {
      const { importedFiles } = preProcessFile(readFileSync(path.join(workspaceRoot, file), 'utf8'), true, true);
      const imported = importedFiles.map(({ fileName }) => fileOf(file, fileName)).filter((each) => each !== null);
      return [file, [...new Set(imported)]];
    }),
  );
}

/** The projects that each project imports in its product code, without tests and their fixtures. */
export function projectGraph(graph: Map<string, string[]>): Map<string, string[]> {
  const folders = new Map<string, string>();
  const projectOf = (file: string): string => {
    const folder = path.dirname(file);
    const known = folders.get(folder);
    if (known !== undefined) return known;
    const isProject = existsSync(path.join(workspaceRoot, folder, 'project.json'));
    const found = isProject || folder === '.' ? folder : projectOf(folder);
    folders.set(folder, found);
    return found;
  };
  const projects = new Map<string, Set<string>>();
  for (const [file, imported] of graph) {
    if (TEST.test(file)) continue;
    const project = projectOf(file);
    const targets = projects.get(project) ?? new Set();
    projects.set(project, targets);
    for (const target of imported.map(projectOf)) if (target !== project) targets.add(target);
  }
  return new Map([...projects].map(([project, targets]) => [project, [...targets]]));
}

function resolved(file: string): string | null {
  const candidates = [file, `${file}.ts`, `${file}.tsx`, `${file}/index.ts`];
  const isFile = (candidate: string) => {
    const absolute = path.join(workspaceRoot, candidate);
    return existsSync(absolute) && statSync(absolute).isFile();
  };
  return candidates.find(isFile) ?? null;
}

/** The groups of nodes that reach each other (Tarjan's strongly connected components), each sorted. */
export function cyclesOf(graph: Map<string, string[]>): string[][] {
  const index = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (node: string): number => {
    const own = index.size;
    let lowest = own;
    index.set(node, own);
    stack.push(node);
    const targets = graph.get(node) ?? [];
    for (const target of targets) {
      const known = index.get(target);
      if (known === undefined) lowest = Math.min(lowest, visit(target));
      else if (stack.includes(target)) lowest = Math.min(lowest, known);
    }
    if (lowest === own) {
      const group = stack.splice(stack.indexOf(node));
      if (group.length > 1 || targets.includes(node)) cycles.push(group.sort());
    }
    return lowest;
  };
  for (const node of graph.keys()) if (!index.has(node)) visit(node);
  return cycles.sort();
}
