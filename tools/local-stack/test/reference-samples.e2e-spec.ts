import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { installSdk, PYTHON_SDK, StackProcess } from '@heliograph/harness';
import { until } from '@heliograph/testing';
import { CREDENTIALS, PREPARATION, SESSION } from './sample-preparation';

/** The samples make more requests per minute than a user. */
const UNLIMITED = {
  ACCOUNT_AUTH_RATE_PER_MINUTE: '0',
  ACCOUNT_RATE_PER_MINUTE: '0',
  LIMITS_EMAIL_DOMAINS_PER_HOUR: '0',
};
const API_KEY = 'msg_live_demoDEMOdemoDEMOdemoDEMOdemo0001';
const CONCURRENCY = 6;
/** The URLs of pages that use the same entries. */
const SHARING = [
  /\/bots\//,
  /\/account\/(members|sessions)/,
  /\/audience\/(contacts|groups|imports)/,
  /\/events\/(webhooks|deliveries)/,
];
/** curl that fails for a status other than 2xx, and for a URL with an empty variable. It prints the response. */
const STRICT_CURL = `curl() {
  for argument in "$@"; do
    case "$argument" in http*[!:]//* | http*/ | http*=) echo "empty variable in $argument" >&2; return 3 ;; esac
  done
  command curl --silent --show-error --fail-with-body "$@"
}`;

interface Operation {
  id: string;
  method: string;
  /** The sample request and the sample response, as displayed. */
  samples: string[];
  /** The programs with the SDKs, by language. */
  programs: Record<string, string>;
}

let stack: StackProcess;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'samples-'));
  await installSdk(folder);
  stack = await StackProcess.prepare(UNLIMITED);
  await stack.start();
}, 90_000);
afterAll(async () => {
  await stack.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function page(url: string): Promise<string> {
  const response = await fetch(`http://localhost:${stack.port}${url}`);
  return response.status === 200 ? response.text() : Promise.reject(new Error(`${url}: ${response.status}`));
}

const matches = (text: string, pattern: RegExp): string[] => [
  ...new Set([...text.matchAll(pattern)].map(([, group = '']) => group)),
];

/** The sections of all APIs, with their operations in the order of the page. */
async function readSections(): Promise<Map<string, Operation[]>> {
  const apis = matches(await page('/docs'), /href="(\/docs\/[\w-]+)"/g);
  const overviews = await Promise.all(apis.map(page));
  const urls = overviews.flatMap((text) => matches(text, /href="(\/docs\/(?!guides|assets)[\w-]+\/[\w-]+)"/g));
  return new Map(
    await Promise.all([...new Set(urls)].map(async (url) => [url, operationsOf(await page(url))] as const)),
  );
}

function operationsOf(text: string): Operation[] {
  return text
    .split('<article class="operation"')
    .slice(1)
    .map((article) => ({
      id: matches(article, /^ id="([^"]*)"/g)[0]!,
      method: matches(article, /<span class="method (\w+)">/g)[0]!,
      samples: matches(article, /<pre tabindex="0"><code>([^]*?)<\/code><\/pre>/g).map(textOf),
      programs: programsIn(article),
    }));
}

function programsIn(article: string): Record<string, string> {
  const found = article.matchAll(/<div class="chosen-(\w+)">\s*<pre tabindex="0"><code>([^]*?)<\/code><\/pre>/g);
  return Object.fromEntries([...found].map(([, language = '', code = '']) => [language, textOf(code)]));
}

/** The text of highlighted code. */
const textOf = (markup: string): string =>
  markup
    .replace(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

/** Runs a sample as a reader does who has set the credentials. Resolves with the output if it fails. */
async function run({ id, samples: [script = ''] }: Operation): Promise<string | null> {
  const lines = [
    'set -eu',
    STRICT_CURL,
    `API=http://localhost:${stack.port} CONTROL=http://localhost:${stack.port + 10}`,
    CREDENTIALS,
    ...(script.includes('$SESSION_TOKEN') ? [SESSION] : []),
    PREPARATION[id] ?? '',
    script,
  ];
  const shell = spawn('bash', ['-c', lines.join('\n')], { cwd: folder });
  let output = '';
  for (const stream of [shell.stdout, shell.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk));
  const [status] = (await once(shell, 'close')) as [number];
  return status === 0 ? null : `${output}\n${script}`;
}

interface PlacedOperation extends Operation {
  /** The address of its page. */
  url: string;
}

/** Deletions come last, because the other samples of the group need an entry. */
const inOrder = (pages: [string, Operation[]][]): PlacedOperation[] =>
  pages
    .flatMap(([url, operations]) => operations.map((operation) => ({ ...operation, url })))
    .toSorted((a, b) => Number(a.method === 'delete') - Number(b.method === 'delete'));

/**
 * Pages that can run at the same time. Those about bots use the same bot, those about members and sessions the latest
 * invitation, those about contacts the same contacts, and those about
 * webhooks the same webhook.
 */
function groupsOf(all: Map<string, Operation[]>): [string, Operation[]][][] {
  const groups = new Map<string, [string, Operation[]][]>();
  for (const [url, operations] of all) {
    const name = SHARING.find((sharing) => sharing.test(url))?.source ?? url;
    groups.set(name, [...(groups.get(name) ?? []), [url, operations]]);
  }
  // The longest first, so that they do not run alone at the end.
  return [...groups.values()].toSorted((a, b) => b.flatMap(([, of]) => of).length - a.flatMap(([, of]) => of).length);
}

/** Programs that run several files in one process, and print the failures as JSON. */
const RUNNERS = {
  js: `import { readdirSync } from 'node:fs';
console.log = () => undefined;
const failures = {};
for (const name of readdirSync('js')) await import('./js/' + name).catch((error) => (failures[name] = String(error)));
process.stdout.write(JSON.stringify(failures));
`,
  py: `import contextlib, io, json, os, runpy
failures = {}
for name in sorted(os.listdir("py")):
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            runpy.run_path("py/" + name)
    except BaseException as error:
        failures[name] = repr(error)
print(json.dumps(failures))
`,
} as const;

/** Samples of entries that the samples before have deleted. */
const WITHOUT_ENTRY = ['v1GetWebhook', 'v1ListWebhookDeliveries'];

/** Samples that change nothing, and need neither preparation nor other credentials than the API key. */
function readingPrograms(all: Map<string, Operation[]>, language: keyof typeof RUNNERS): [string, string][] {
  return [...all].flatMap(([url, operations]) =>
    operations.flatMap(({ id, method, programs }): [string, string][] => {
      const code = programs[language];
      const others = /(?:process\.env\.|os\.environ\[")(?!API_KEY)/;
      if (code === undefined || method !== 'get' || id in PREPARATION || others.test(code)) return [];
      if (WITHOUT_ENTRY.includes(id)) return [];
      return [[`${url.slice('/docs/'.length).replaceAll('/', '-')}-${id}`, code]];
    }),
  );
}

/** Adds the workspace of the demo, because the samples have created further ones. */
async function workspaceOption(): Promise<(code: string) => string> {
  const response = await fetch(`http://localhost:${stack.port}/api/workspaces?limit=1`, {
    headers: { authorization: `Bearer ${API_KEY}` },
  });
  const { data } = (await response.json()) as { data: { workspaces: [{ id: string }] } };
  const [{ id }] = data.workspaces;
  return (code) =>
    code
      .replace('apiKey: process.env.API_KEY', `$&, workspace: '${id}'`)
      .replace('api_key=os.environ["API_KEY"]', `$&, workspace="${id}"`);
}

async function runPrograms(programs: [string, string][], language: keyof typeof RUNNERS): Promise<object> {
  const extension = language === 'js' ? 'mjs' : 'py';
  mkdirSync(path.join(folder, language));
  const withWorkspace = await workspaceOption();
  for (const [name, code] of programs)
    writeFileSync(path.join(folder, language, `${name}.${extension}`), withWorkspace(code));
  const runner = path.join(folder, `runner.${extension}`);
  writeFileSync(runner, RUNNERS[language]);
  const command = language === 'js' ? process.execPath : 'python3';
  const env = { PATH: process.env['PATH'], API_KEY, PYTHONPATH: PYTHON_SDK };
  const program = spawn(command, [runner], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  program.stdout.on('data', (chunk: Buffer) => (output += chunk));
  await once(program, 'close');
  return JSON.parse(output) as object;
}

describe('the samples of the API reference', () => {
  let sections: Map<string, Operation[]>;
  beforeAll(async () => {
    // A service that has just started may still compose its document.
    sections = await until('all documents are available', () => readSections().catch(() => null));
  }, 60_000);

  it('run against the demo data of the local stack', async () => {
    const failures: Record<string, string> = {};
    const queue = groupsOf(sections);
    const runNext = async (): Promise<void> => {
      for (let group = queue.shift(); group; group = queue.shift()) {
        for (const operation of inOrder(group)) {
          const failure = await run(operation);
          if (failure !== null) failures[`${operation.url}#${operation.id}`] = failure;
        }
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, runNext));
    expect(failures).toEqual({});
  }, 240_000);

  it.each(['js', 'py'] as const)(
    'that read run with the SDK for %s',
    async (language) => {
      const programs = readingPrograms(sections, language);
      expect(programs.length).toBeGreaterThan(50);
      expect(await runPrograms(programs, language)).toEqual({});
    },
    120_000,
  );

  it('contain no placeholders', () => {
    const placeholders = [...sections].flatMap(([url, operations]) =>
      operations.flatMap(({ id, samples }) =>
        samples
          .filter((sample) => /"string"|=string\b|additionalProp|\/<\w+>|the value of the path/.test(sample))
          .map((sample) => `${url}#${id}\n${sample}`),
      ),
    );
    expect(placeholders).toEqual([]);
  });
});
