import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from './workspace-copy';

const SKIPPED = new Set(['.git', '.nx', '.data', 'node_modules', 'dist', 'tmp', 'coverage']);
const FENCED_CODE = /^ *```[\s\S]*?^ *```/gm;
const LINK = /\]\(([^)\s]+)\)/g;
const CODE = /`([^`\n]+)`/g;
const PATH = /^(?:apps|libs|tools|docs|docker|deploy|types)\/[\w./-]+$/;
const PATH_IN_PROJECT = /^(?:src|test)\/[\w./-]+$/;
/** Projects that the recipes of CONTRIBUTING.md create, and files that the commands for a deployment create. */
const EXAMPLES = ['apps/parcel-api', 'libs/sms/opt-outs', 'docker/secrets', 'docker/.env'];

const documents = markdownFiles('');

function markdownFiles(folder: string): string[] {
  return readdirSync(path.join(workspaceRoot, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED.has(entry.name) ? [] : markdownFiles(file);
    return entry.name.endsWith('.md') ? [file] : [];
  });
}

const textOf = (file: string) => readFileSync(path.join(workspaceRoot, file), 'utf8').replace(FENCED_CODE, '');

const matchesOf = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, match = '']) => match);

/** Returns the anchors that GitHub generates for the headings of a document. */
const anchorsOf = (file: string) =>
  matchesOf(textOf(file), /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** Returns the links of a document to files, folders or headings that do not exist. */
function brokenLinks(document: string): string[] {
  return matchesOf(textOf(document), LINK).filter((link) => {
    if (/^[a-z]+:/.test(link)) return false;
    const [target = '', anchor] = link.split('#');
    const file = target === '' ? document : path.join(path.dirname(document), target);
    if (!existsSync(path.join(workspaceRoot, file))) return true;
    return anchor !== undefined && !anchorsOf(file).includes(anchor);
  });
}

/**
 * Returns the paths in backticks that do not exist. In the README of a project, paths can be relative to the project.
 */
function missingPaths(document: string): string[] {
  const project = path.dirname(document);
  return matchesOf(textOf(document), CODE).filter((code) => {
    if (EXAMPLES.some((example) => code.startsWith(example))) return false;
    if (PATH.test(code)) return !existsSync(path.join(workspaceRoot, code));
    return project !== '.' && PATH_IN_PROJECT.test(code) && !existsSync(path.join(workspaceRoot, project, code));
  });
}

const scripts = (
  JSON.parse(readFileSync(path.join(workspaceRoot, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
).scripts;
const projectNames = readdirSync(workspaceRoot, { recursive: true })
  .map(String)
  .filter((file) => /^(?:apps|libs|tools)\/(?!.*node_modules).*project\.json$/.test(file))
  .map((file) => (JSON.parse(readFileSync(path.join(workspaceRoot, file), 'utf8')) as { name: string }).name)
  .concat('parcel-api');
const NX_TARGETS = ['build', 'serve', 'test', 'lint', 'typecheck'];

/** The files of a Jest project whose path matches a pattern, with their texts. */
function testFiles(config: string, pattern: string): string[] {
  const folder = path.join(workspaceRoot, path.dirname(config));
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((file) => /spec\.ts$/.test(file) && !file.includes('node_modules'))
    .map((file) => path.join(folder, file))
    .filter((file) => new RegExp(pattern).test(file))
    .map((file) => readFileSync(file, 'utf8'));
}

/** Returns what is wrong with a printed command, or null. Tests of the local stack run the commands for it. */
function problemOf(command: string): string | null {
  const [, program = '', first = '', rest = ''] = /^(?:[A-Z_]+=\S* )*(npm|npx|node) (\S+) ?(.*)$/.exec(command) ?? [];
  if (program === 'npm') {
    if (['ci', 'install', 'start', 'test'].includes(first)) {
      const [, names = ''] = /-p (\S+)/.exec(rest) ?? [];
      return names.split(',').every((name) => name === '' || projectNames.includes(name)) ? null : 'no such project';
    }
    const [script = ''] = rest.split(' ');
    return first === 'run' && script in scripts ? null : 'no such script';
  }
  if (program === 'node') {
    return /^(?:main|migrate)\.js$/.test(first) || existsSync(path.join(workspaceRoot, first)) ? null : 'no such file';
  }
  if (first === 'jest') {
    const [, config = '', pattern = '', name = ''] = /^-c (\S+) (\S+)(?: -t '(.+)')?$/.exec(rest) ?? [];
    const texts = testFiles(config, pattern);
    return texts.some((text) => text.includes(name)) ? null : 'no such test';
  }
  if (first === 'nx') {
    const [action = '', ...names] = rest.split(' ');
    if (action === 'g')
      return existsSync(path.join(workspaceRoot, names[0]?.split(':')[0] ?? '')) ? null : 'no generator';
    if (['run-many', 'affected'].includes(action)) {
      return names[0] === '-t' && names.slice(1).every((target) => NX_TARGETS.includes(target))
        ? null
        : 'no such target';
    }
    return NX_TARGETS.includes(action) && projectNames.includes(names[0] ?? '') ? null : 'no such target or project';
  }
  return 'an unknown program';
}

describe('the documents', () => {
  it('print commands whose scripts, files, projects and tests exist', () => {
    const commands = documents.flatMap((document) =>
      matchesOf(textOf(document), CODE)
        .filter((code) => /^(?:[A-Z_]+=\S* )*(?:npm|npx|node) \w\S*/.test(code))
        .flatMap((code) => code.split(' && '))
        .map((command) => ({ document, command, problem: problemOf(command) })),
    );
    expect(commands.length).toBeGreaterThan(40);
    expect(commands.filter(({ problem }) => problem !== null)).toEqual([]);
    expect(problemOf('npm run nothing')).toBe('no such script');
    expect(problemOf("npx jest -c apps/sms-api/jest.config.cjs records -t 'no such name'")).toBe('no such test');
    expect(problemOf('npx nx lint nothing')).toBe('no such target or project');
  });

  it('link to files and headings that exist', () => {
    const broken = documents.flatMap((document) => brokenLinks(document).map((link) => `${document}: ${link}`));
    expect(broken).toEqual([]);
  });

  it('name paths that exist', () => {
    const missing = documents.flatMap((document) => missingPaths(document).map((name) => `${document}: ${name}`));
    expect(missing).toEqual([]);
  });

  it('list every decision record in ARCHITECTURE.md under its title', () => {
    const listed = matchesOf(textOf('ARCHITECTURE.md'), /^(\d+\. \[.+\]\(docs\/adr\/.+\))$/gm);
    const records = documents.filter((document) => document.startsWith('docs/adr/')).sort();
    const expected = records.map((record) => {
      const [, number, title] = /^# (\d+)\. (.+)$/m.exec(textOf(record)) ?? [];
      return `${number}. [${title}](${record})`;
    });
    expect(listed).toEqual(expected);
  });

  it('name tests that exist in docs/security.md', () => {
    const rows = [...textOf('docs/security.md').matchAll(/^\| \d+ +\| .+ \| `(\S+)` +\| (.+?) +\|$/gm)];
    expect(rows.length).toBeGreaterThan(35);
    const missing = rows.filter(([, file = '', name = '']) => {
      return !readFileSync(path.join(workspaceRoot, file), 'utf8').includes(name);
    });
    expect(missing.map(([row]) => row)).toEqual([]);
  });
});
