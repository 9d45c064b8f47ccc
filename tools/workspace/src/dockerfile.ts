import { readFileSync } from 'node:fs';
import path from 'node:path';
import { workspaceRoot } from './workspace-copy';

/** The files that the Dockerfile copies from the workspace, in order; all apps instead of the app of its argument SERVICE. */
export function copiedIntoImage(): string[] {
  const lines = readFileSync(path.join(workspaceRoot, 'docker/Dockerfile'), 'utf8').split('\n');
  const sources = lines.flatMap((line) => {
    const [instruction, ...words] = line.split(/\s+/);
    // The last word is the destination.
    return instruction === 'COPY' && !words.some((word) => word.startsWith('--')) ? words.slice(0, -1) : [];
  });
  return [...new Set(sources.map((source) => source.replace('/${SERVICE}', '')))];
}
