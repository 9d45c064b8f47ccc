import type { OpenApi } from './openapi-check';
import { httpCall } from './http-call';

interface HostileTarget {
  url: string;
  /** The OpenAPI document of the service. */
  document: OpenApi;
  /** Only paths with this prefix are tested. */
  prefix: string;
  key: string;
}

interface HostileRequest {
  method: string;
  path: string;
  body?: string | Uint8Array<ArrayBuffer>;
}

interface Described {
  parameters?: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: { properties?: Record<string, unknown> } }> };
}

const CONCURRENCY = 6;
/** A document without operations must not pass. */
const MIN_REQUESTS = 500;
const TIMEOUT_MS = 15_000;
const NESTED = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;

/** Invalid bodies: malformed, of another type, or hostile to a parser. */
const BODIES: readonly (string | Uint8Array<ArrayBuffer>)[] = [
  '',
  '{',
  'null',
  '[]',
  '5',
  '"text"',
  'true',
  '{"a":1}{"b":2}',
  NESTED,
  `{"a":${NESTED}}`,
  '\ufeff{}',
  '{"__proto__":{"a":1}}',
  '{"constructor":{"prototype":{"a":1}}}',
  '{"a":1e400}',
  '{"\\u0000":1}',
  new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]),
  `{${Array.from({ length: 20_000 }, (_, index) => `"f${index}":1`).join(',')}}`,
];

/** JSON texts of hostile field values. */
const VALUES: readonly string[] = [
  'null',
  'true',
  '5',
  '-1',
  '1e21',
  '1.5',
  '""',
  '" "',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '"\\u0000"',
  '"\\ud800"',
  '{"constructor":1}',
  '{"__proto__":{"a":1}}',
  '{"toString":1}',
  '["x",{"constructor":1}]',
  '"\\u202e\\n\\r\\t"',
  `"${'x'.repeat(100_000)}"`,
  '"{{ a | b: c }}{% for %}"',
  '"\'; DROP TABLE x; --"',
  '9007199254740993',
];

const TEXTS = [
  '',
  ' ',
  'x',
  '-1',
  '0',
  '1e9',
  '%00',
  '%ff',
  '%ED%A0%80',
  '%F0%9F%92%A9',
  'constructor',
  '[]',
  'a'.repeat(5_000),
];

/**
 * Sends hostile bodies, fields, parameters and ids to every documented operation. Returns the requests that got an
 * internal error, a response that is not a JSON error, or no response.
 */
export async function wrongAnswersToHostileRequests(target: HostileTarget): Promise<string[]> {
  const requests = hostileRequests(target);
  const wrong: string[] = [];
  if (requests.length < MIN_REQUESTS) throw new Error(`${target.url} documents too few operations`);
  const run = async (): Promise<void> => {
    for (let request = requests.pop(); request; request = requests.pop()) {
      const problem = await problemOf(target, request);
      if (problem !== null) wrong.push(`${request.method} ${request.path.slice(0, 200)} ${shown(request)}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, run));
  return wrong;
}

function hostileRequests({ document, prefix }: HostileTarget): HostileRequest[] {
  return Object.entries(document.paths)
    .filter(([path]) => path.startsWith(prefix))
    .flatMap(([path, operations]) =>
      Object.entries(operations as Record<string, Described>).flatMap(([name, operation]) => {
        const method = name.toUpperCase();
        const plain = path.replace(/\{\w+\}/g, '01890a5d-ac96-774b-bcce-b302099a8057');
        const schema = operation.requestBody?.content['application/json']?.schema;
        const fields = Object.keys(schema?.properties ?? {});
        const queries = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
        return [
          ...(operation.requestBody ? BODIES.map((body) => ({ method, path: plain, body })) : []),
          ...fields.flatMap((field) =>
            VALUES.map((value) => ({ method, path: plain, body: `{${JSON.stringify(field)}:${value}}` })),
          ),
          ...queries.flatMap(({ name: parameter }) => [
            ...TEXTS.map((text) => ({ method, path: `${plain}?${encodeURIComponent(parameter)}=${text}` })),
            { method, path: `${plain}?${encodeURIComponent(parameter)}=1&${encodeURIComponent(parameter)}=2` },
          ]),
          ...(path.includes('{')
            ? TEXTS.slice(2).map((text) => ({ method, path: path.replace(/\{\w+\}/g, text) }))
            : []),
        ];
      }),
    );
}

async function problemOf({ url, key }: HostileTarget, { method, path, body }: HostileRequest): Promise<string | null> {
  try {
    const { status, text } = await httpCall(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body === undefined || method === 'GET' ? {} : { body }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (status < 400) return null;
    // This operation needs a dependency that the test does not run.
    if (status >= 500 && status !== 503) return `${status} ${text.slice(0, 200)}`;
    const { code, message } = JSON.parse(text) as { code?: unknown; message?: unknown };
    return typeof code === 'string' && typeof message === 'string' ? null : `no error in ${text.slice(0, 200)}`;
  } catch (error) {
    return String(error);
  }
}

function shown({ body }: HostileRequest): string {
  return body === undefined
    ? ''
    : Buffer.from(body as string)
        .toString()
        .slice(0, 80);
}
