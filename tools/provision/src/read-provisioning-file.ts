import { LineCounter, parseDocument } from 'yaml';
import type { z } from 'zod';
import { repeatedAcrossOrganizations, type Problem } from './check-references';
import { FilePositions, showPath, type FilePath } from './file-positions';
import { ProvisioningError } from './provisioning-error';
import { provisioningFile, type ProvisioningFile } from './schema/provisioning-file';

// A few lines of nested aliases can expand to more than fits into memory.
const MAX_ALIASES = 100;

export interface ReadFile {
  file: ProvisioningFile;
  positions: FilePositions;
}

/** Parses and validates a file. Throws a ProvisioningError that lists all problems. */
export function readProvisioningFile(yamlText: string, fileName: string): ReadFile {
  const lines = new LineCounter();
  const document = parseDocument(yamlText, { lineCounter: lines, prettyErrors: false });
  const problems = [...document.errors, ...document.warnings];
  if (problems.length > 0) {
    throw new ProvisioningError(
      problems.map(({ pos: [start], message }) => {
        const { line, col } = lines.linePos(start);
        return `${fileName}:${line}:${col}: ${message}`;
      }),
    );
  }
  const positions = new FilePositions(fileName, document, lines);
  let data: unknown;
  try {
    data = document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (error) {
    throw new ProvisioningError([`${fileName}: ${error instanceof Error ? error.message : String(error)}`]);
  }
  const parsed = provisioningFile.safeParse(data ?? {}, { reportInput: true });
  if (!parsed.success) throw new ProvisioningError(parsed.error.issues.flatMap((issue) => describe(issue, positions)));
  refuse(repeatedAcrossOrganizations(parsed.data), positions);
  return { file: parsed.data, positions };
}

/** Throws if there is a problem. */
export function refuse(problems: readonly Problem[], positions: FilePositions): void {
  if (problems.length === 0) return;
  throw new ProvisioningError(problems.map(({ path, message }) => problemAt(positions, path, message)));
}

function problemAt(positions: FilePositions, path: FilePath, message: string): string {
  return `${positions.of(path)}: ${showPath(path) || 'the file'}: ${message}`;
}

function describe(issue: z.core.$ZodIssue, positions: FilePositions): string[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map(
      (key) => `${positions.ofKey(issue.path, key)}: ${showPath([...issue.path, key])}: unknown key`,
    );
  }
  return [problemAt(positions, issue.path, messageOf(issue))];
}

function messageOf(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'invalid_type') return issue.message;
  if (issue.input === undefined) return `is missing; expected ${issue.expected}`;
  const found = issue.input === null ? 'null' : Array.isArray(issue.input) ? 'array' : typeof issue.input;
  const hint = issue.expected === 'string' && (found === 'number' || found === 'boolean') ? '; quote it' : '';
  return `must be ${issue.expected}, not ${found}${hint}`;
}
