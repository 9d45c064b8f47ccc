import { readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from './workspace-copy';

/** The files that the Dockerfile copies from the workspace, in order. */
export function copiedIntoImage(): string[] {
  const lines = readFileSync(path.join(workspaceRoot, 'docker/Dockerfile'), 'utf8').split('\n');
  return lines.flatMap((line) => {
    const [instruction, ...words] = line.split(/\s+/);
    // The last word is the destination.
    return instruction === 'COPY' && !words.some((word) => word.startsWith('--')) ? words.slice(0, -1) : [];
  });
}
