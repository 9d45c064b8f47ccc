import type { ApiView, OperationView } from '../api-view';
import { snakeCase } from './call-name';
import { Given, Reference, SampleFile, samplePlan, type SamplePlan, type Step } from './sample-plan';

export type SdkLanguage = 'js' | 'python' | 'cli';

/**
 * The sample of an operation with the TypeScript SDK, the Python SDK or the command line: a complete program, or a shell
 * script. Null if the SDKs do not have the operation.
 */
export function sdkSample(api: ApiView, view: OperationView, baseUrl: string, language: SdkLanguage): string | null {
  const plan = samplePlan(api, view);
  if (!plan) return null;
  switch (language) {
    case 'js':
      return javascriptSample(plan, baseUrl);
    case 'python':
      return pythonSample(plan, baseUrl);
    case 'cli':
      return cliSample(plan);
  }
}

const remarks = (plan: SamplePlan, mark: string): string[] => [
  ...plan.given.map(({ name, note }) => `${mark} ${name}: ${note}`),
  ...plan.notes.map((note) => `${mark} ${note}`),
];

// TypeScript and JavaScript

function javascriptSample(plan: SamplePlan, baseUrl: string): string {
  const { steps, last, url } = plan;
  const call = last ? javascriptCall(last, plan) : `client.download(${javascript(url)})`;
  const lines = [
    `import { Heliograph } from '@heliograph/sdk';`,
    '',
    javascriptClient(plan, baseUrl),
    ...remarks(plan, '//'),
    ...steps.map((step) => javascriptStep(step, plan)),
    ...javascriptResult(last, call),
  ];
  return lines.join('\n');
}

function javascriptClient({ auth }: SamplePlan, baseUrl: string): string {
  const address = `baseUrl: '${baseUrl}'`;
  if (auth === 'key') return `const client = new Heliograph({ apiKey: process.env.API_KEY, ${address} });`;
  if (auth !== 'session') return `const client = new Heliograph({ ${address} });`;
  return [
    'const client = new Heliograph({',
    `  ${address},`,
    `  headers: { Cookie: \`session=\${process.env.SESSION_TOKEN}\`, Origin: '${baseUrl}' },`,
    '});',
  ].join('\n');
}

function javascriptStep(step: Step, plan: SamplePlan): string {
  const { entry, variable } = step;
  const call = `await ${javascriptCall(step, plan)}`;
  if (variable === null) return `${call};`;
  if (!entry) return `const ${variable} = ${call};`;
  const list = `(${call}).${entry.items ?? 'data'}`;
  if (!entry.match) return `const [${variable}] = ${list};`;
  const [field, value] = entry.match;
  return `const ${variable} = ${list}.find((one) => one.${field} === '${value}');`;
}

function javascriptCall({ call, positions, input }: Step, { auth }: SamplePlan): string {
  const options = auth === 'conversation' ? ['{ conversationToken: process.env.CONVERSATION_TOKEN }'] : [];
  const takesInput = call.query.length > 0 || call.body !== undefined;
  const given = input ? [javascript(input)] : takesInput && options.length > 0 ? ['{}'] : [];
  return `client.${call.name}(${[...positions.map((value) => javascript(value)), ...given, ...options].join(', ')})`;
}

function javascriptResult(last: Step | null, call: string): string[] {
  if (!last || last.call.result === 'file') {
    return [`const file = await ${call};`, 'console.log(file.type, (await file.bytes()).length);'];
  }
  if (last.call.result === 'events') return [`for await (const { event, data } of ${call}) console.log(event, data);`];
  if (last.call.paging) return [`for await (const entry of ${call}) {`, '  console.log(entry);', '}'];
  if (last.call.result === 'none') return [`await ${call};`];
  return [`const result = await ${call};`, 'console.log(result);'];
}

function javascript(value: unknown, depth = 0): string {
  if (value instanceof Reference) {
    return value.variable + value.path.map((part) => (typeof part === 'number' ? `[${part}]` : member(part))).join('');
  }
  if (value instanceof Given) return `process.env.${value.name}`;
  if (value instanceof SampleFile) return javascript({ ...value }, depth);
  if (typeof value === 'string') return quoted(value);
  return collection(value, depth, {
    open: ['[', '{'],
    close: [']', '}'],
    key: (name) => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name)),
    inner: javascript,
    literal: String,
    padding: ' ',
    indent: 2,
  });
}

const member = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? `.${name}` : `[${quoted(name)}]`);

function quoted(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return text.includes("'") && !text.includes('"') ? `"${escaped}"` : `'${escaped.replaceAll("'", "\\'")}'`;
}

// Python

/** Names of fields that are no names in Python. */
const PYTHON_KEYWORDS = ['from', 'import', 'class', 'def', 'global', 'is', 'in', 'not', 'or', 'and', 'pass', 'return'];

/** The name of a field as a keyword argument: `from` is `from_`, `displayName` is `display_name`. */
export function pythonName(field: string): string {
  const name = snakeCase(field)
    .replace(/\W+/g, '_')
    .replace(/^_+|_+$/g, '');
  return PYTHON_KEYWORDS.includes(name) ? `${name}_` : name;
}

/** The path of a call in Python: `sms.messages.send_bulk`. */
export function pythonPath(name: string): string {
  return name.split('.').map(pythonName).join('.');
}

function pythonSample(plan: SamplePlan, baseUrl: string): string {
  const { steps, last, url } = plan;
  const call = last ? pythonCall(last, plan) : `client.download(${python(url)})`;
  const body = [
    pythonClient(plan, baseUrl),
    ...remarks(plan, '#'),
    ...steps.map((step) => pythonStep(step, plan)),
    ...pythonResult(last, call),
  ];
  const usesOs = body.some((line) => line.includes('os.environ'));
  return [...(usesOs ? ['import os', ''] : []), 'from heliograph import Heliograph', '', ...body].join('\n');
}

function pythonClient({ auth }: SamplePlan, baseUrl: string): string {
  const address = `base_url="${baseUrl}"`;
  if (auth === 'key') return `client = Heliograph(api_key=os.environ["API_KEY"], ${address})`;
  if (auth !== 'session') return `client = Heliograph(${address})`;
  return [
    'client = Heliograph(',
    `    ${address},`,
    `    headers={"Cookie": "session=" + os.environ["SESSION_TOKEN"], "Origin": "${baseUrl}"},`,
    ')',
  ].join('\n');
}

function pythonStep(step: Step, plan: SamplePlan): string {
  const { entry, variable } = step;
  const call = pythonCall(step, plan);
  if (variable === null) return call;
  const name = snakeCase(variable);
  if (!entry) return `${name} = ${call}`;
  const list = entry.items === null ? `${call}.data` : `${call}["${entry.items}"]`;
  if (!entry.match) return `${name} = ${list}[0]`;
  const [field, value] = entry.match;
  return `${name} = next(one for one in ${list} if one["${field}"] == "${value}")`;
}

function pythonCall({ call, positions, input }: Step, { auth }: SamplePlan): string {
  const fields = Object.entries(input ?? {}).map(([name, value]) => `${pythonName(name)}=${python(value, 1)}`);
  const options =
    auth === 'conversation' ? ['request_options={"conversation_token": os.environ["CONVERSATION_TOKEN"]}'] : [];
  const parts = [...positions.map((value) => python(value)), ...fields, ...options];
  const line = `client.${pythonPath(call.name)}(${parts.join(', ')})`;
  if (line.length <= 80 && !line.includes('\n')) return line;
  return `client.${pythonPath(call.name)}(\n${parts.map((part) => `    ${part},`).join('\n')}\n)`;
}

function pythonResult(last: Step | null, call: string): string[] {
  if (!last || last.call.result === 'file') return [`file = ${call}`, 'print(file.type, len(file.read()))'];
  if (last.call.result === 'events') return [`for event in ${call}:`, '    print(event.event, event.data)'];
  if (last.call.paging) return [`for entry in ${call}:`, '    print(entry)'];
  if (last.call.result === 'none') return [call];
  return [`result = ${call}`, 'print(result)'];
}

function python(value: unknown, depth = 0): string {
  if (value instanceof Reference) {
    return snakeCase(value.variable) + value.path.map((part) => `[${JSON.stringify(part)}]`).join('');
  }
  if (value instanceof Given) return `os.environ["${value.name}"]`;
  if (value instanceof SampleFile) {
    return `("${value.name}", b${JSON.stringify(value.content)}, "${value.type}")`;
  }
  if (typeof value === 'string') return JSON.stringify(value);
  return collection(value, depth, {
    open: ['[', '{'],
    close: [']', '}'],
    key: (name) => JSON.stringify(name),
    inner: python,
    literal: (one) => ({ true: 'True', false: 'False', null: 'None' })[String(one)] ?? String(one),
    padding: '',
    indent: 4,
  });
}

// The command line

const OPEN = '\uE000';
const CLOSE = '\uE001';

function cliSample(plan: SamplePlan): string | null {
  const { steps, last, url, auth } = plan;
  // The command line has no sessions of browsers.
  if (auth === 'session') return null;
  if (!last) return null;
  const lines = [
    ...remarks(plan, '#'),
    ...filesOf(last).map(({ name, content }) => `printf ${shellQuoted(content.replaceAll('\n', '\\n'))} > ${name}`),
    ...steps.map((step) => cliStep(step, plan)),
    cliCall(last, plan),
  ];
  return url === null ? lines.join('\n') : null;
}

const filesOf = ({ input }: Step): SampleFile[] =>
  Object.values(input ?? {}).filter((value) => value instanceof SampleFile);

const shellName = (variable: string, path: readonly (string | number)[]): string =>
  `${snakeCase(variable)}_${path
    .filter((part) => typeof part === 'string')
    .map(snakeCase)
    .join('_')}`.toUpperCase();

function cliStep(step: Step, plan: SamplePlan): string {
  const { variable, entry } = step;
  const call = cliCall(step, plan);
  if (variable === null) return `${call} > /dev/null`;
  const reference = referenceTo(variable, plan);
  if (!reference) return `${call} > /dev/null`;
  const items = entry ? (entry.items === null ? [] : [entry.items]) : [];
  const match = entry?.match ? ` --match ${entry.match[0]}=${entry.match[1]}` : '';
  const first = entry && !entry.match ? [0] : [];
  // --match finds the entry in the list.
  const path = [...(entry?.match ? [] : items), ...first, ...reference.path].join('.');
  return `${shellName(variable, reference.path)}=$(${call}${match} --pick ${path})`;
}

function referenceTo(variable: string, { steps, last }: SamplePlan): Reference | null {
  const find = (value: unknown): Reference | null => {
    if (value instanceof Reference) return value.variable === variable ? value : null;
    if (typeof value !== 'object' || value === null) return null;
    return Object.values(value).reduce<Reference | null>((found, inner) => found ?? find(inner), null);
  };
  for (const step of [...steps, last]) {
    const found = step && (find(step.positions) ?? find(step.input));
    if (found) return found;
  }
  return null;
}

function cliCall({ call, positions, input }: Step, { auth }: SamplePlan): string {
  const files = Object.entries(input ?? {}).filter(([, value]) => value instanceof SampleFile);
  const fields = Object.entries(input ?? {}).filter(([, value]) => !(value instanceof SampleFile));
  const data = fields.length > 0 ? [`--data ${shellJson(Object.fromEntries(fields))}`] : [];
  const uploads = files.map(([, file]) => `--file ${(file as SampleFile).name}`);
  const token = auth === 'conversation' ? ['--conversation-token "$CONVERSATION_TOKEN"'] : [];
  const values = positions.map((value) => shellValue(value));
  return ['heliograph api', call.name, ...values, ...uploads, ...token, ...data].join(' ');
}

function shellValue(value: unknown): string {
  if (value instanceof Reference) return `"$${shellName(value.variable, value.path)}"`;
  if (value instanceof Given) return `"$${value.name}"`;
  return shellQuoted(String(value));
}

/** JSON in a word of a POSIX shell, with the variables expanded. */
function shellJson(value: object): string {
  const text = JSON.stringify(
    value,
    (_, inner: unknown) => {
      if (inner instanceof Reference) return `${OPEN}${shellName(inner.variable, inner.path)}${CLOSE}`;
      return inner instanceof Given ? `${OPEN}${inner.name}${CLOSE}` : inner;
    },
    2,
  );
  const short = text.replace(/\n\s*/g, ' ');
  return shellQuoted(short.length <= 60 ? short : text).replace(/\uE000(\w+)\uE001/g, `'"$$$1"'`);
}

function shellQuoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

// All languages

interface Notation {
  open: readonly [list: string, map: string];
  close: readonly [list: string, map: string];
  key: (name: string) => string;
  inner: (value: unknown, depth: number) => string;
  literal: (value: unknown) => string;
  /** Between the braces and the content of a map in one line. */
  padding: string;
  /** Spaces per level. */
  indent: number;
}

const LINE = 80;

/** A list or map in one line if it is short, or one entry a line. */
function collection(value: unknown, depth: number, notation: Notation): string {
  if (typeof value !== 'object' || value === null) return notation.literal(value);
  const isList = Array.isArray(value);
  const at = isList ? 0 : 1;
  const indent = ' '.repeat(notation.indent * (depth + 1));
  const parts = isList
    ? value.map((one) => notation.inner(one, depth + 1))
    : Object.entries(value).map(([name, one]) => `${notation.key(name)}: ${notation.inner(one, depth + 1)}`);
  if (parts.length === 0) return notation.open[at] + notation.close[at];
  const padding = isList ? '' : notation.padding;
  const line = `${notation.open[at]}${padding}${parts.join(', ')}${padding}${notation.close[at]}`;
  if (line.length + indent.length <= LINE && !line.includes('\n')) return line;
  const outer = indent.slice(notation.indent);
  return `${notation.open[at]}\n${parts.map((part) => `${indent}${part},`).join('\n')}\n${outer}${notation.close[at]}`;
}
