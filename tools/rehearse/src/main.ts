import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Finding, RehearsalContext } from './rehearsal';
import { REHEARSALS } from './rehearsals';
import { hasPassed, sectionOf, tableOf, withSection } from './results';

const RESULTS = 'docs/operations/results.md';

/** The command line. Exit code 0 if the rehearsal passed, 1 if not, 2 if the usage was wrong. */
export async function main(root: string, [name = '', ...args]: readonly string[]): Promise<void> {
  const rehearsal = REHEARSALS[name];
  if (rehearsal === undefined) {
    console.error(usage());
    process.exit(2);
  }
  const startedAt = Date.now();
  const ending = new Ending();
  const context: RehearsalContext = {
    root,
    args,
    log: (text) => console.log(`[${((Date.now() - startedAt) / 1_000).toFixed(1)} s] ${text}`),
    onEnd: (cleanUp) => ending.add(cleanUp),
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void ending.run().finally(() => process.exit(1)));
  }
  const findings = await rehearsal
    .run(context)
    .catch((error: unknown): Finding[] => {
      console.error(error);
      return [{ subject: 'the rehearsal itself', measured: messageOf(error), required: 'no error', passed: false }];
    })
    .finally(() => ending.run());
  console.log(tableOf(findings));
  const durationSeconds = (Date.now() - startedAt) / 1_000;
  const file = path.join(root, RESULTS);
  const section = sectionOf({
    name,
    revision: revisionOf(root),
    finishedAt: new Date(),
    durationSeconds,
    findings,
  });
  await writeFile(file, withSection(await readFile(file, 'utf8'), section));
  console.log(`added to ${RESULTS}`);
  process.exit(hasPassed(findings) ? 0 : 1);
}

/** The work at the end of a rehearsal, which runs once. */
class Ending {
  private readonly cleanUps: (() => Promise<void> | void)[] = [];
  private running: Promise<void> | null = null;

  add(cleanUp: () => Promise<void> | void): void {
    this.cleanUps.unshift(cleanUp);
  }

  /** Resolves when all of it is done, also for the second caller. */
  run(): Promise<void> {
    return (this.running ??= this.runAll());
  }

  private async runAll(): Promise<void> {
    for (const cleanUp of this.cleanUps.splice(0)) {
      try {
        await cleanUp();
      } catch (error) {
        console.error(`cleaning up: ${messageOf(error)}`);
      }
    }
  }
}

function usage(): string {
  const lines = Object.entries(REHEARSALS).map(([name, { summary }]) => `  ${name.padEnd(12)}${summary}`);
  return ['usage: npm run rehearse -- NAME', ...lines].join('\n');
}

function revisionOf(root: string): string {
  return execFileSync('git', ['describe', '--always', '--dirty'], { cwd: root, encoding: 'utf8' }).trim();
}

/** The beginning of the last line, which names the reason. */
function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return (message.trim().split('\n').at(-1) ?? '').slice(0, 200);
}
