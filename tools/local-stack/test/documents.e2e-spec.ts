import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StackProcess } from '@heliograph/harness';
import { SERVICES } from '../src/routes';

const root = path.join(__dirname, '../../..');
/** The shell blocks of a document, in order, by the heading above them. */
function shellBlocks(document: string): { heading: string; script: string }[] {
  const text = readFileSync(path.join(root, document), 'utf8');
  const blocks: { heading: string; script: string }[] = [];
  let heading = document;
  for (const [, title, script] of text.matchAll(/^#+ (.+)$|^```sh\n([^]*?)^```$/gm)) {
    if (title !== undefined) heading = title;
    if (script !== undefined) blocks.push({ heading, script });
  }
  return blocks;
}

/** Blocks of README.md that do not call the local stack, and the tests that cover them. */
const TESTED_ELSEWHERE: Readonly<Record<string, string>> = {
  'Quick start': 'start.e2e-spec.ts and .ci/run run both commands',
  'Deploy a service': 'tools/workspace/src/docker.spec.ts checks the image and the variables of these commands',
};

/** The operator commands in the text of CONTRIBUTING.md and of the READMEs of the apps. */
const operatorCommands = ['CONTRIBUTING.md', ...SERVICES.map((app) => `apps/${app}/README.md`)].flatMap((document) =>
  [...readFileSync(path.join(root, document), 'utf8').matchAll(/`(npm run (?:ops|provision)[^`<]*)`/g)].map(
    ([, command = '']) => ({ document, command }),
  ),
);

const blocks = shellBlocks('README.md');
const executable = blocks.filter(({ heading }) => !(heading in TESTED_ELSEWHERE));

/** curl that fails for a status other than 2xx and prints the response. */
const STRICT_CURL = 'curl() { command curl --silent --show-error --fail-with-body "$@"; }';

describe('the commands of the documents, as printed', () => {
  let stack: StackProcess;
  let folder: string;
  /** The blocks before the current one, whose variables it may use. */
  const done: string[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'readme-'));
    stack = await StackProcess.prepare();
    await stack.start();
  }, 90_000);
  afterAll(async () => {
    await stack.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a shell script in a folder of its own, and fails with its output. */
  function run(script: string): void {
    const { DATABASE_URL: _database, AMQP_URL: _bus, REDIS_URL: _limiter, ...env } = process.env;
    const npm = `npm() { command npm --prefix ${root} "$@"; }`;
    const { status, stdout, stderr } = spawnSync('bash', ['-c', `${npm}\n${script}`], {
      cwd: folder,
      env: { ...env, DATA_DIR: stack.dataDir },
      encoding: 'utf8',
      timeout: 120_000,
    });
    expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
  }

  it('are all tested', () => {
    expect(
      Object.keys(TESTED_ELSEWHERE).filter((heading) => !blocks.some((block) => block.heading === heading)),
    ).toEqual([]);
    expect(executable.length).toBeGreaterThan(5);
    expect(operatorCommands.length).toBeGreaterThan(3);
  });

  it.each(executable)(
    '$heading',
    ({ script }) => {
      // Variables and functions of the earlier blocks stay defined, as in the shell of a reader.
      const state = path.join(folder, 'state.sh');
      const commands = [
        'set -euo pipefail',
        STRICT_CURL,
        ...(done.length > 0 ? [`source ${state}`] : []),
        script.replaceAll('localhost:8080', `localhost:${stack.port}`).replaceAll(':8090', `:${stack.port + 10}`),
        `{ declare -p KEY JSON OPERATOR API 2>/dev/null || true; declare -f field; } > ${state}`,
      ];
      done.push(script);
      run(commands.join('\n'));
    },
    130_000,
  );

  it.each(operatorCommands)('$document: $command', ({ command }) => run(command), 130_000);
});
