import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { outputOf, WorkspaceCopy } from './workspace-copy';

interface Project {
  name: string;
  type: 'app' | 'lib' | 'e2e';
  data: { root: string; tags?: string[]; targets?: Record<string, unknown> };
}

const workspace = new WorkspaceCopy();
let projects: Project[];

const named = (type: Project['type']) => projects.filter((project) => project.type === type).map(({ name }) => name);

async function affectedBy(...files: string[]): Promise<string[]> {
  const output = outputOf(await workspace.nx('show', 'projects', '--affected', `--files=${files.join(',')}`, '--json'));
  return JSON.parse(output.slice(output.indexOf('['))) as string[];
}

beforeAll(async () => {
  outputOf(await workspace.nx('graph', '--file=tmp/graph.json'));
  const graph = JSON.parse(readFileSync(path.join(workspace.root, 'tmp/graph.json'), 'utf8')) as {
    graph: { nodes: Record<string, Project> };
  };
  projects = Object.values(graph.graph.nodes);
}, 60_000);

afterAll(() => workspace.remove());

describe('the projects of the workspace', () => {
  it('has apps, libs and tools', () => {
    expect(named('app')).toContain('sms-api');
    expect(named('lib')).toEqual(expect.arrayContaining(['contracts', 'phone', 'simulators']));
  });

  it('has a project in every folder with sources, and an import path to every lib', () => {
    const folders = ['apps', 'libs', 'tools'].flatMap((parent) =>
      readdirSync(path.join(workspace.root, parent))
        .map((name) => `${parent}/${name}`)
        .filter((folder) => existsSync(path.join(workspace.root, folder, 'src'))),
    );
    expect(projects.map(({ data }) => data.root).sort()).toEqual(folders.sort());

    const { compilerOptions } = JSON.parse(readFileSync(path.join(workspace.root, 'tsconfig.base.json'), 'utf8')) as {
      compilerOptions: { paths: Record<string, string[]> };
    };
    const files = Object.values(compilerOptions.paths).flat();
    expect(files.filter((file) => !existsSync(path.join(workspace.root, file)))).toEqual([]);
    for (const folder of folders.filter((name) => name.startsWith('libs/'))) {
      expect(files).toContain(`./${folder}/src/index.ts`);
    }
  });

  it('has exactly one type and one scope on every project', () => {
    const tagsOf = (prefix: string) =>
      Object.fromEntries(
        projects.map(({ name, data }) => [name, (data.tags ?? []).filter((tag) => tag.startsWith(prefix)).length]),
      );
    const one = Object.fromEntries(projects.map(({ name }) => [name, 1]));
    expect(tagsOf('type:')).toEqual(one);
    expect(tagsOf('scope:')).toEqual(one);
  });

  it('has no tag that the boundaries do not know', () => {
    const known = ['type:app', 'type:domain', 'type:platform', 'type:contracts', 'type:testing', 'type:tool'];
    const scopes = ['shared', 'tool', ...named('app')].map((scope) => `scope:${scope}`);
    const unknown = projects.flatMap(({ name, data }) =>
      (data.tags ?? []).filter((tag) => ![...known, ...scopes].includes(tag)).map((tag) => `${name}: ${tag}`),
    );
    expect(unknown).toEqual([]);
  });

  it('has apps that build, serve, test, lint and check their types, each in its own scope', () => {
    for (const { name, type, data } of projects) {
      if (type !== 'app') continue;
      expect(Object.keys(data.targets ?? {})).toEqual(
        expect.arrayContaining(['build', 'serve', 'test', 'lint', 'typecheck']),
      );
      expect(data.tags).toEqual(expect.arrayContaining(['type:app', `scope:${name}`]));
      expect(data.root).toBe(`apps/${name}`);
    }
  });

  it('has libs and tools that test, lint and check their types', () => {
    for (const { type, data } of projects) {
      if (type === 'app') continue;
      expect(Object.keys(data.targets ?? {})).toEqual(expect.arrayContaining(['test', 'lint', 'typecheck']));
    }
  });
});

describe('nx affected', () => {
  it('takes in whoever stands on a changed lib, and nobody else', async () => {
    const affected = await affectedBy('libs/phone/src/parse-recipient.ts');
    expect(affected).toEqual(expect.arrayContaining(['phone', 'sms-api']));
    for (const other of ['contracts', 'errors', 'simulators']) expect(affected).not.toContain(other);
  }, 60_000);

  it('leaves the libs alone when an app changes', async () => {
    const affected = await affectedBy('apps/sms-api/src/main.ts');
    expect(affected).toContain('sms-api');
    const libs = projects.filter(({ data }) => data.root.startsWith('libs/')).map(({ name }) => name);
    expect(affected.filter((name) => libs.includes(name))).toEqual([]);
  }, 60_000);

  it('takes in everything when the compiler settings change', async () => {
    const affected = await affectedBy('tsconfig.base.json');
    expect([...affected].sort()).toEqual(projects.map(({ name }) => name).sort());
  }, 60_000);
});
