import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { inheritedEnvironment } from './workspace-copy';

export interface Project {
  name: string;
  type: 'app' | 'lib' | 'e2e';
  data: { root: string; tags?: string[]; targets?: Record<string, unknown> };
}

interface Inspection {
  projects: Project[];
  /** The rules that each of the given files breaks. */
  lint: string[][];
  /** The names of the projects that each of the given changes affects. */
  affected: string[][];
}

/** Runs nx and ESLint on the workspace. The files of `lint` need not exist. */
export async function inspectWorkspace(questions: {
  lint?: { file: string; code: string }[];
  affected?: string[][];
}): Promise<Inspection> {
  const child = spawn(process.execPath, [path.join(__dirname, 'inspect-workspace.mjs')], {
    env: inheritedEnvironment(),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(JSON.stringify(questions));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  try {
    return JSON.parse(output.slice(output.indexOf('{"projects"'))) as Inspection;
  } catch {
    throw new Error(`inspect-workspace.mjs failed:\n${output}${errors}`);
  }
}
