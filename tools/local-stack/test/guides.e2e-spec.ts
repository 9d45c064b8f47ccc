import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { installCli, installSdk, PYTHON_SDK, StackProcess } from '@heliograph/harness';
import { verifyWebhook } from '@heliograph/sdk';
import { until } from '@heliograph/testing';

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
  /** The folder of the command line. */
  let bin: string;
  beforeAll(async () => {
    folder = mkdtempSync(path.join(os.tmpdir(), 'guides-'));
    await installSdk(folder);
    bin = await installCli(folder);
    stack = await StackProcess.prepare();
    await stack.start();
  }, 90_000);
  afterAll(async () => {
    await stack.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  const adapted = (code: string) => code.replaceAll('localhost:8080', `localhost:${stack.port}`);

  const environment = (): NodeJS.ProcessEnv => ({
    PATH: `${bin}:${process.env['PATH']}`,
    HELIOGRAPH_KEY: KEY,
    HELIOGRAPH_CONFIG_DIR: path.join(folder, 'config'),
    PYTHONPATH: PYTHON_SDK,
  });

  async function run(command: string, args: string[]): Promise<void> {
    const program = spawn(command, args, {
      cwd: folder,
      env: environment(),
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

  describe('the command line', () => {
    const cli = (...args: string[]): ChildProcessByStdio<null, Readable, Readable> =>
      spawn(path.join(bin, 'heliograph'), args, {
        cwd: folder,
        env: {
          ...environment(),
          HELIOGRAPH_API_KEY: KEY,
          HELIOGRAPH_BASE_URL: `http://localhost:${stack.port}`,
          HELIOGRAPH_CONFIG_DIR: path.join(folder, 'other'),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    const outputOf = async (...args: string[]): Promise<{ code: number | null; out: string; err: string }> => {
      const program = cli(...args);
      const done = once(program, 'close') as Promise<[number | null]>;
      const [out, err] = await Promise.all([textOf(program.stdout), textOf(program.stderr)]);
      return { code: (await done)[0], out, err };
    };

    it('forwards events and samples to a receiver that verifies them, and ends with 0 at Ctrl-C', async () => {
      const types: string[] = [];
      let secret = '';
      const receiver = createServer((request, response) => {
        void textOf(request)
          .then((body) => verifyWebhook(body, request.headers, secret))
          .then(
            ({ type }) => types.push(type) && response.writeHead(204).end(),
            () => response.writeHead(400).end(),
          );
      }).listen(0);
      await once(receiver, 'listening');
      const target = `localhost:${(receiver.address() as AddressInfo).port}/hook`;
      const listening = cli('webhooks', 'listen', '--forward-to', target, '--type', 'sms.*');
      const tailing = cli('messages', 'tail', '--json');
      let notes = '';
      let events = '';
      listening.stderr.on('data', (chunk: Buffer) => (notes += chunk));
      tailing.stdout.on('data', (chunk: Buffer) => (events += chunk));
      let tailNotes = '';
      tailing.stderr.on('data', (chunk: Buffer) => (tailNotes += chunk));
      try {
        await until('both wait', () => notes.includes('whsec_') && tailNotes.includes('Waiting'));
        secret = /whsec_\S+(?=\. )/.exec(notes)?.[0] ?? '';
        const sms = ['--to', '+919876543210', '--sender', 'DEMOIN', '--template', 'otp', '--var', 'code=1'];
        expect(await outputOf('send', 'sms', ...sms)).toMatchObject({ code: 0 });
        await until('the events of the message arrived', () => types.includes('sms.delivered'));
        await until('they are displayed', () => events.includes('"type":"sms.delivered"'));
        expect(await outputOf('webhooks', 'trigger', 'email.bounced', '--forward-to', target)).toMatchObject({
          code: 0,
        });
        expect(types).toContain('email.bounced');
        secret = `whsec_${Buffer.from('other').toString('base64')}`;
        expect(await outputOf('webhooks', 'trigger', 'sms.sent', '--forward-to', target)).toMatchObject({ code: 6 });
      } finally {
        const ended = [listening, tailing].map((program) => once(program, 'exit'));
        for (const program of [listening, tailing]) program.kill('SIGINT');
        expect((await Promise.all(ended)).map(([code]) => code as number | null)).toEqual([0, 0]);
        receiver.close();
      }
    }, 60_000);

    it('reports failures by exit code, as text and as JSON', async () => {
      expect(await outputOf('send', 'sms')).toMatchObject({ code: 2, out: '' });
      expect(await outputOf('api', 'no.such.call')).toMatchObject({ code: 2 });
      const refused = await outputOf('--json', 'send', 'sms', '--to', 'nobody', '--message', 'x');
      expect(refused).toMatchObject({ code: 4, out: '' });
      expect(JSON.parse(refused.err)).toMatchObject({ code: 'INVALID_RECIPIENT', status: 400 });
      expect(await outputOf('--base-url', 'http://localhost:1', 'doctor')).toMatchObject({ code: 5 });
      // The DNS records of the demo domain do not exist.
      const { code, out } = await outputOf('doctor');
      expect([code, out]).toEqual([
        6,
        expect.stringMatching(/ok +key[^]*ok +clock[^]*ok +dlt[^]*problem +email domains/),
      ]);
    }, 60_000);

    it('completes commands and names of calls in bash', async () => {
      const words = (list: string): string =>
        `COMP_WORDS=(heliograph ${list}); COMP_CWORD=2; _heliograph; [ "\${COMPREPLY[*]}" = "$expected" ]`;
      const script = [
        'set -eu',
        'eval "$(heliograph completion bash)"',
        `expected='listen trigger'; ${words("webhooks ''")}`,
        `expected='sms.messages.send sms.messages.sendBulk'; ${words('api sms.messages.s')}`,
      ];
      await run('bash', ['-c', script.join('\n')]);
    });

    it('serves tools that only read, for test keys unless flags allow more', async () => {
      expect(await outputOf('mcp')).toMatchObject({
        code: 3,
        err: expect.stringContaining('not a test key') as string,
      });
      const connected = async (...flags: string[]): Promise<McpClient> => {
        const client = new McpClient({ name: 'test', version: '1' });
        const env = { HELIOGRAPH_API_KEY: KEY, HELIOGRAPH_BASE_URL: `http://localhost:${stack.port}` };
        const args = ['mcp', '--live', ...flags];
        await client.connect(new StdioClientTransport({ command: path.join(bin, 'heliograph'), args, env }));
        return client;
      };
      const reading = await connected('--groups', 'sms');
      const { tools } = await reading.listTools();
      expect(tools.map(({ name }) => name)).toContain('sms_messages_quote');
      expect(tools.filter(({ annotations }) => !annotations?.readOnlyHint)).toEqual([]);
      const call = { name: 'sms_messages_send', arguments: { to: 'nobody', message: 'x' } };
      expect(await reading.callTool(call)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('not allowed') as string }],
      });
      const { content } = await reading.callTool({ name: 'sms_messages_list', arguments: { limit: 1 } });
      expect(JSON.parse((content as [{ text: string }])[0].text)).toHaveProperty('data');
      await reading.close();
      const sending = await connected('--allow-sends');
      expect(await sending.callTool(call)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('INVALID_RECIPIENT') as string }],
      });
      await sending.close();
    }, 60_000);
  });
});

async function textOf(stream: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += String(chunk);
  return text;
}
