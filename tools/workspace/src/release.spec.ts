import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { outputOf, runCommand, WorkspaceCopy, workspaceRoot } from './workspace-copy';

const readIn = (root: string, file: string) => readFileSync(path.join(root, file), 'utf8');
const versionIn = (root: string, file = 'package.json') =>
  (JSON.parse(readIn(root, file)) as { version: string }).version;
const commandsOf = (document: string) =>
  [...readIn(workspaceRoot, document).matchAll(/^npx (nx release.*)$/gm)].map(([, command = '']) => command);

describe('the version', () => {
  it('is the latest one of the changelog', () => {
    const [, latest] = /^## (\d+\.\d+\.\d+)/m.exec(readIn(workspaceRoot, 'CHANGELOG.md')) ?? [];
    expect(versionIn(workspaceRoot)).toBe(latest);
  });
});

describe('a release, as docs/operations/versions.md describes it', () => {
  // The configuration of the release, and nothing that its steps do not read.
  const workspace = new WorkspaceCopy(['package.json', 'package-lock.json', 'nx.json', 'CHANGELOG.md', '.gitignore']);
  afterAll(() => workspace.remove());

  const git = async (...args: string[]) =>
    outputOf(
      await runCommand(workspace.root, 'git', [
        '-c',
        'user.name=Release',
        '-c',
        'user.email=release@example.com',
        ...args,
      ]),
    );
  const nx = async (command: string) => {
    const args = [...command.matchAll(/"([^"]*)"|\S+/g)].map(([text, quoted]) => quoted ?? text);
    return outputOf(await workspace.nx(...args.slice(1)));
  };

  it('collects the version plans, raises the version, writes the changelog, commits and tags', async () => {
    await git('init', '--quiet', '--initial-branch=main');
    await git('config', 'user.name', 'Release');
    await git('config', 'user.email', 'release@example.com');
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'start');
    const before = versionIn(workspace.root);
    const [plan = '', release = '', ...others] = commandsOf('docs/operations/versions.md');
    expect(others).toEqual([]);

    await nx(plan);
    expect(readdirSync(path.join(workspace.root, '.nx/version-plans'))).toHaveLength(1);
    await git('add', '.');
    await git('commit', '--quiet', '--message', 'email: larger attachments');
    await nx(release);

    const [major, minor] = before.split('.').map(Number);
    const after = `${major}.${(minor ?? 0) + 1}.0`;
    expect(versionIn(workspace.root)).toBe(after);
    const changelog = readIn(workspace.root, 'CHANGELOG.md');
    expect(changelog).toMatch(new RegExp(`^## ${after} `));
    expect(changelog).toContain('Email: attachments of up to 25 MB.');
    expect(changelog).toContain(`## ${before} `);
    expect(await git('tag')).toBe(`v${after}\n`);
    expect(await git('log', '-1', '--format=%s')).toBe(`release: ${after}\n`);
    expect(await git('status', '--porcelain')).toBe('');
  }, 120_000);
});
