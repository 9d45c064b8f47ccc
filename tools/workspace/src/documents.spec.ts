import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from './workspace-copy';

const SKIPPED = new Set(['.git', '.nx', '.data', 'node_modules', 'dist', 'tmp', 'coverage']);
const FENCED_CODE = /^ *```[\s\S]*?^ *```/gm;
const LINK = /\]\(([^)\s]+)\)/g;
const CODE = /`([^`\n]+)`/g;
const PATH = /^(?:apps|libs|tools|docs|docker|deploy|types)\/[\w./-]+$/;
const PATH_IN_PROJECT = /^(?:src|test)\/[\w./-]+$/;
/** Projects that the recipes of CONTRIBUTING.md create. */
const EXAMPLES = ['apps/parcel-api', 'libs/sms/opt-outs'];

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

describe('the documents', () => {
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
