import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { inspectWorkspace, type Project } from './inspect-workspace';
import { workspaceRoot } from './workspace-copy';

const CHANGES = {
  library: ['libs/sms/text/src/match-template.ts'],
  app: ['apps/sms-api/src/main.ts'],
  compiler: ['tsconfig.base.json'],
};

const TYPES = ['app', 'domain', 'platform', 'contracts', 'testing', 'tool'];
const DOMAINS = [
  'accounts',
  'money',
  'sms',
  'email',
  'chatapp',
  'bots',
  'contacts',
  'campaigns',
  'webhooks',
  'analytics',
  'test',
];

let projects: Project[];
let affectedBy: Record<keyof typeof CHANGES, string[]>;

const named = (type: Project['type']) => projects.filter((project) => project.type === type).map(({ name }) => name);

/** Returns the folders, at most three levels deep, that contain a `src` folder. */
function foldersWithSources(folder: string, depth = 3): string[] {
  if (existsSync(path.join(workspaceRoot, folder, 'src'))) return [folder];
  if (depth === 1) return [];
  return readdirSync(path.join(workspaceRoot, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules')
    .flatMap(({ name }) => foldersWithSources(`${folder}/${name}`, depth - 1));
}

/** Whether a project has a test file. */
const hasTests = (root: string) =>
  readdirSync(path.join(workspaceRoot, root), { recursive: true, encoding: 'utf8' }).some((file) =>
    /\.(e2e-)?spec\.ts$/.test(file),
  );

beforeAll(async () => {
  const names = Object.keys(CHANGES) as (keyof typeof CHANGES)[];
  const found = await inspectWorkspace({ affected: names.map((name) => CHANGES[name]) });
  projects = found.projects;
  affectedBy = Object.fromEntries(names.map((name, index) => [name, found.affected[index]])) as typeof affectedBy;
});

describe('the projects of the workspace', () => {
  it('include apps, libraries and tools', () => {
    expect(named('app')).toContain('sms-api');
    expect(named('lib')).toEqual(expect.arrayContaining(['contracts', 'addresses', 'simulators']));
  });

  it('cover every folder with sources, and every library has an import path', () => {
    const folders = ['apps', 'libs', 'tools'].flatMap((parent) => foldersWithSources(parent));
    expect(projects.map(({ data }) => data.root).sort()).toEqual(folders.sort());

    const { compilerOptions } = JSON.parse(readFileSync(path.join(workspaceRoot, 'tsconfig.base.json'), 'utf8')) as {
      compilerOptions: { paths: Record<string, string[]> };
    };
    const files = Object.values(compilerOptions.paths).flat();
    expect(files.filter((file) => !existsSync(path.join(workspaceRoot, file)))).toEqual([]);
    for (const folder of folders.filter((name) => name.startsWith('libs/'))) {
      expect(files).toContain(`./${folder}/src/index.ts`);
    }
  });

  it('have exactly one type and one scope each', () => {
    const tagsOf = (prefix: string) =>
      Object.fromEntries(
        projects.map(({ name, data }) => [name, (data.tags ?? []).filter((tag) => tag.startsWith(prefix)).length]),
      );
    const one = Object.fromEntries(projects.map(({ name }) => [name, 1]));
    expect(tagsOf('type:')).toEqual(one);
    expect(tagsOf('scope:')).toEqual(one);
  });

  it('have only tags that the boundary rules define', () => {
    const scopes = ['shared', 'testing', 'tool', ...DOMAINS, ...named('app')];
    const known = [...TYPES.map((type) => `type:${type}`), ...scopes.map((scope) => `scope:${scope}`)];
    const unknown = projects.flatMap(({ name, data }) =>
      (data.tags ?? []).filter((tag) => !known.includes(tag)).map((tag) => `${name}: ${tag}`),
    );
    expect(unknown).toEqual([]);
  });

  it('have the scope of their folder: libs/<domain>/<library> has the scope of the domain, an app its own', () => {
    const expected = ({ name, data }: Project) => {
      const [parent, domain] = data.root.split('/');
      if (parent === 'apps') return [name, 'type:app', `scope:${name}`];
      if (parent === 'tools') return [name, 'type:tool', 'scope:tool'];
      if (domain === 'platform') return [name, 'type:platform', 'scope:shared'];
      if (domain === 'contracts' || domain === 'sdk') return [name, 'type:contracts', 'scope:shared'];
      if (domain === 'testing') return [name, 'type:testing', 'scope:testing'];
      return [name, 'type:domain', `scope:${domain}`];
    };
    expect(projects.map(({ name, data }) => [name, ...(data.tags ?? [])])).toEqual(projects.map(expected));
  });

  it('have the targets lint and typecheck, and apps also have build and serve', () => {
    for (const { name, type, data } of projects) {
      const targets = Object.keys(data.targets ?? {});
      expect([name, targets]).toEqual([name, expect.arrayContaining(['lint', 'typecheck'])]);
      if (type !== 'app') continue;
      expect([name, targets]).toEqual([name, expect.arrayContaining(['build', 'serve', 'test'])]);
      expect(data.root).toBe(`apps/${name}`);
    }
  });

  it('have a test target if and only if they have tests', () => {
    const withTarget = projects.filter(({ data }) => data.targets?.['test'] !== undefined);
    const withTests = projects.filter(({ data }) => hasTests(data.root));
    expect(withTarget.map(({ name }) => name)).toEqual(withTests.map(({ name }) => name));
    const configured = projects.filter(({ data }) =>
      existsSync(path.join(workspaceRoot, data.root, 'jest.config.cjs')),
    );
    expect(configured.map(({ name }) => name)).toEqual(withTests.map(({ name }) => name));
  });
});

describe('nx affected', () => {
  it('includes only the projects that use a changed library', () => {
    expect(affectedBy.library).toEqual(expect.arrayContaining(['sms-text', 'sms-api']));
    for (const other of ['contracts', 'errors', 'simulators']) expect(affectedBy.library).not.toContain(other);
  });

  it('includes no library when an app changes', () => {
    expect(affectedBy.app).toContain('sms-api');
    const libraries = projects.filter(({ data }) => data.root.startsWith('libs/')).map(({ name }) => name);
    expect(affectedBy.app.filter((name) => libraries.includes(name))).toEqual([]);
  });

  it('includes every project when the compiler options change', () => {
    expect([...affectedBy.compiler].sort()).toEqual(projects.map(({ name }) => name).sort());
  });
});
