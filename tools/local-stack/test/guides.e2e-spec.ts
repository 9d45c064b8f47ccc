import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installSdk, PYTHON_SDK, StackProcess } from '@heliograph/harness';

const FOLDER = path.join(__dirname, '../../../docs/guides');
const KEY = 'msg_live_demoDEMOdemoDEMOdemoDEMOdemo0001';
/** apps/account-api/test/webhooks-verification.e2e-spec.ts runs its examples with real deliveries. */
const TESTED_ELSEWHERE = ['webhooks.md'];
/** curl that fails for a status other than 2xx and prints the response. */
const STRICT_CURL = 'curl() { command curl --silent --show-error --fail-with-body "$@"; }';
const TIMEOUT_MS = 60_000;

interface Block {
  language: string;
  code: string;
}

const guides = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.md'))
  .map((name) => ({ name, blocks: blocksOf(readFileSync(path.join(FOLDER, name), 'utf8')) }));

function blocksOf(text: string): Block[] {
  return [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language = '', code = '']) => ({ language, code }));
}

describe('the guides', () => {
  it('are all listed once in guides.json', () => {
    const groups = JSON.parse(readFileSync(path.join(FOLDER, 'guides.json'), 'utf8')) as { guides: string[] }[];
    const listed = groups.flatMap((group) => group.guides.map((slug) => `${slug}.md`));
    expect(listed.sort()).toEqual(guides.map(({ name }) => name).sort());
  });

  it('contain code only in languages that are tested, or text', () => {
    const languages = new Set(
      guides
        .filter(({ name }) => !TESTED_ELSEWHERE.includes(name))
        .flatMap(({ blocks }) => blocks.map(({ language }) => language)),
    );
    expect([...languages].sort()).toEqual(['html', 'js', 'json', 'py', 'sh', 'text']);
  });
});

describe('the samples of the guides, as printed', () => {
  let stack: StackProcess;
  let folder: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'guides-'));
    await installSdk(folder);
    stack = await StackProcess.prepare();
    await stack.start();
  }, 90_000);
  afterAll(async () => {
    await stack.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const adapted = (code: string) => code.replaceAll('localhost:8080', `localhost:${stack.port}`);

  async function run(command: string, args: string[]): Promise<void> {
    const program = spawn(command, args, {
      cwd: folder,
      env: { PATH: process.env['PATH'], HELIOGRAPH_KEY: KEY, PYTHONPATH: PYTHON_SDK },
      timeout: TIMEOUT_MS,
    });
    let output = '';
    for (const stream of [program.stdout, program.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
    const [status] = (await once(program, 'close')) as [number | null];
    expect({ status, output: status === 0 ? '' : output }).toEqual({ status: 0, output: '' });
  }

  describe.each(guides.filter(({ name }) => !TESTED_ELSEWHERE.includes(name)))('$name', ({ name, blocks }) => {
    const of = (language: string) => blocks.filter((block) => block.language === language);

    it('runs its commands in one shell', async () => {
      const script = of('sh').map(({ code }) => adapted(code));
      if (script.length > 0) await run('bash', ['-c', ['set -euo pipefail', STRICT_CURL, ...script].join('\n')]);
    });

    it('runs its programs', async () => {
      for (const [at, { code }] of of('js').entries()) {
        const file = path.join(folder, `${name}-${at}.mjs`);
        writeFileSync(file, adapted(code));
        await run(process.execPath, [file]);
      }
      for (const [at, { code }] of of('py').entries()) {
        const file = path.join(folder, `${name}-${at}.py`);
        writeFileSync(file, adapted(code));
        await run('python3', [file]);
      }
    }, 120_000);

    it('contains valid JSON', () => {
      for (const { code } of of('json')) expect(() => JSON.parse(code) as unknown).not.toThrow();
    });
  });
});
