import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StackProcess } from '@heliograph/harness';
import { until } from '@heliograph/testing';
import { CREDENTIALS, PREPARATION, SESSION } from './sample-preparation';

/** The samples make more requests per minute than a user. */
const UNLIMITED = {
  ACCOUNT_AUTH_RATE_PER_MINUTE: '0',
  ACCOUNT_RATE_PER_MINUTE: '0',
  LIMITS_EMAIL_DOMAINS_PER_HOUR: '0',
};
const CONCURRENCY = 6;
/** The URLs of pages that use the same entries. */
const SHARING = [/\/bots\//, /\/account\/(members|sessions)/, /\/audience\/(contacts|groups|imports)/];
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
}

let stack: StackProcess;
let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'samples-'));
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
    }));
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
 * invitation, and those about contacts the same contacts.
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
