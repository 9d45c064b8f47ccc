import { SAMPLE, type SampleHints, type SampleValue } from './sample-hints';
import {
  isReference,
  type ApiView,
  type Body,
  type Operation,
  type OperationView,
  type Parameter,
  type SchemaOrReference,
} from './api-view';
import { exampleOf } from './example-of';
import { shapeOf } from './schema-shape';

const JSON_TYPE = 'application/json';
const FORM_TYPE = 'application/x-www-form-urlencoded';
const FILE_TYPE = 'multipart/form-data';

/** Enclose the name of a shell variable in texts that are not quoted yet. They are private-use characters. */
const OPEN = '\uE000';
const CLOSE = '\uE001';
const VARIABLES = new RegExp(`${OPEN}(\\w+)${CLOSE}`, 'g');
const variable = (name: string): string => `${OPEN}${name}${CLOSE}`;

/** Shell commands that make the call with its example values, after those that obtain the values. */
export function curlSample(api: ApiView, view: OperationView, baseUrl: string): string {
  return new CurlSample(api, view, baseUrl).toString();
}

export function parametersOf({ parameters = [] }: Operation): Parameter[] {
  return parameters.flatMap((parameter) => (isReference(parameter) ? [] : [parameter]));
}

class CurlSample {
  private readonly hints: SampleHints;
  private readonly credentials: string | null;
  /** Assignments of shell variables, by name. */
  private readonly assignments = new Map<string, string>();

  constructor(
    private readonly api: ApiView,
    private readonly view: OperationView,
    private readonly baseUrl: string,
  ) {
    this.hints = hintsOf(view.operation);
    this.credentials = credentialsOf(api, view.operation);
  }

  toString(): string {
    const { method, operation } = this.view;
    const { before = [] } = this.hints;
    const body = operation.requestBody;
    const bodyLines = body && !isReference(body) ? this.bodyLines(body) : [];
    const lines = [
      `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(this.url())}`,
      ...(this.credentials ? [this.credentials] : []),
      ...this.headerLines(),
      ...bodyLines,
    ];
    return [...before, ...this.assignments.values(), lines.join(' \\\n  ')].join('\n');
  }

  private url(): string {
    const { path, operation } = this.view;
    const { url, query: more = {} } = this.hints;
    if (url) return this.assign('url', url);
    const query = new Map(Object.entries(more).map(([name, value]) => [name, encodeURIComponent(value)]));
    for (const parameter of parametersOf(operation)) {
      const { name } = parameter;
      if (parameter.in !== 'query' || query.has(name)) continue;
      if (parameter.required || this.hints.values?.[name])
        query.set(name, this.parameter(parameter, encodeURIComponent));
    }
    const text = [...query].map(([name, value]) => `${name}=${value}`).join('&');
    return `${this.baseUrl}${this.resolvePath(path)}${text && `?${text}`}`;
  }

  /** Replaces the parameters of the path, or of a path that starts with the same parameters. */
  private resolvePath(path: string): string {
    const parameters = parametersOf(this.view.operation).filter((parameter) => parameter.in === 'path');
    return path.replace(/\{(\w+)\}/g, (text, name: string, at: number) => {
      const parameter = parameters.find((one) => one.name === name);
      if (!parameter) return text;
      const parent = path.slice(0, at - 1);
      const value = this.hints.values?.[name] ?? literalOf(parameter, this.api) ?? this.listAt(parent);
      if (typeof value !== 'object') return encodeURIComponent(value);
      return this.assign(name === 'id' ? `${lastSegment(parent)}Id` : name, value);
    });
  }

  private listAt(path: string): SampleValue {
    const operation = this.api.document.paths[path]?.get;
    if (!operation) return { given: 'the value of the path' };
    const isPaged = parametersOf(operation).some(({ name }) => name === 'limit');
    return { get: isPaged ? `${path}?limit=1` : path };
  }

  private parameter(parameter: Parameter, encode: (text: string) => string): string {
    const value = this.hints.values?.[parameter.name];
    if (typeof value === 'object') return this.assign(parameter.name === 'id' ? 'messageId' : parameter.name, value);
    const schema = parameter.schema ?? { type: 'string' };
    return encode(String(value ?? parameter.example ?? exampleOf(this.api, schema, {}, parameter.name)));
  }

  /** Adds the assignment of a variable, and returns its mark. */
  private assign(field: string, value: SampleValue): string {
    if (typeof value === 'string') return value;
    const name = field
      .replace(/([a-z])(?=[A-Z])/g, '$1_')
      .replace(/\W+/g, '_')
      .toUpperCase();
    if (this.assignments.has(name)) return variable(name);
    // The variables in its command are assigned before it.
    const assignment = this.assignment(name, value);
    this.assignments.set(name, assignment);
    return variable(name);
  }

  private assignment(name: string, value: Exclude<SampleValue, string>): string {
    if ('given' in value) return `# ${name}: ${value.given}`;
    if ('run' in value) return `${name}=$(${value.run})`;
    const { field = 'id' } = value;
    const first = `grep -o '"${field}":"[^"]*"' | head -n 1 | cut -d '"' -f 4`;
    if ('get' in value) {
      const matching = value.match === undefined ? '' : `tr '}' '\\n' | grep ${quoted(value.match)} | `;
      return `${name}=$(${this.request('curl -s', value.get)} |\n  ${matching}${first})`;
    }
    const assignment = `${name}=$(${this.request('curl -s', value.create, this.createdBody(value))} |\n  ${first})`;
    const others = (value.then ?? []).map((path) =>
      this.request('curl -s -o /dev/null -X POST', path.replace(/\{\w+\}(?=[^{]*$)/, variable(name))),
    );
    return [assignment, ...others].join('\n');
  }

  /** A GET request, or a POST request with a body. */
  private request(curl: string, path: string, body?: object): string {
    const item = this.api.document.paths[path.split('?')[0] ?? ''];
    const operation = body === undefined ? item?.get : item?.post;
    const credentials = operation ? credentialsOf(this.api, operation, this.view.operation) : this.credentials;
    const lines = [
      `${curl} ${quoted(`${this.baseUrl}${this.resolvePath(path)}`)}`,
      ...(credentials ? [credentials] : []),
      ...(body === undefined ? [] : createdBodyLines(body, operation)),
    ];
    return lines.join(' \\\n  ');
  }

  private createdBody({ create, body: given, with: changes }: Extract<SampleValue, { create: string }>): object {
    if (given) return given;
    const body = this.api.document.paths[create]?.post?.requestBody;
    const media = body && !isReference(body) ? body.content[JSON_TYPE] : undefined;
    const example = media?.example ?? (media?.schema ? exampleOf(this.api, media.schema, { sparse: true }) : {});
    return { ...(example as object), ...changes };
  }

  private headerLines(): string[] {
    const headers = parametersOf(this.view.operation)
      .filter((parameter) => parameter.in === 'header' && parameter.required)
      .map((parameter) => `-H ${quoted(`${parameter.name}: ${this.parameter(parameter, String)}`)}`);
    // Writes with a cookie must come from a page of this origin.
    const isCookieWrite = this.credentials?.startsWith('-b ') && this.view.method !== 'GET';
    return isCookieWrite ? [`-H ${quoted(`Origin: ${this.baseUrl}`)}`, ...headers] : headers;
  }

  private bodyLines({ content }: Body): string[] {
    const [first] = Object.keys(content);
    const type = this.hints.contentType ?? (content[JSON_TYPE] ? JSON_TYPE : first);
    const schema = type === undefined ? undefined : content[type]?.schema;
    if (type === undefined || !schema) return [];
    const header = `-H ${quoted(`Content-Type: ${type}`)}`;
    const example = this.withVariables(content[type]?.example ?? exampleOf(this.api, schema, { sparse: true }));
    if (type === FILE_TYPE)
      return fields(this.api, schema, example).map(([name, value]) => `-F ${quoted(`${name}=${value}`)}`);
    if (type === FORM_TYPE) {
      return fields(this.api, schema, example).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
    }
    const text = type === JSON_TYPE ? JSON.stringify(example, null, 2) : textOf(example);
    // curl removes the line breaks of other data.
    const option = type === JSON_TYPE ? '-d' : '--data-binary';
    return [header, `${option} ${this.refersToBody() ? quoted(this.assignBody(text)) : quoted(text)}`];
  }

  private refersToBody(): boolean {
    return Object.values(this.hints.values ?? {}).some(
      (value) => typeof value === 'object' && 'run' in value && value.run.includes('$BODY'),
    );
  }

  private assignBody(text: string): string {
    this.assignments.set('BODY', `BODY=${quoted(text)}`);
    return variable('BODY');
  }

  /** Replaces the values of the fields that have a source. */
  private withVariables(example: unknown): unknown {
    const { values = {} } = this.hints;
    const replace = (value: unknown, name?: string): unknown => {
      if (Array.isArray(value)) return value.map((item) => replace(item, name));
      if (typeof value === 'object' && value !== null)
        return Object.fromEntries(Object.entries(value).map(([field, inner]) => [field, replace(inner, field)]));
      const source = name === undefined ? undefined : values[name];
      return name !== undefined && source && typeof value === 'string' ? this.assign(name, source) : value;
    };
    return replace(example);
  }
}

/** A JSON body, or a form if the operation takes no JSON. */
function createdBodyLines(body: object, operation?: Operation): string[] {
  const given = operation?.requestBody;
  const takesJson = !given || isReference(given) || given.content[JSON_TYPE] !== undefined;
  return takesJson
    ? [`-H 'Content-Type: ${JSON_TYPE}'`, `-d ${quoted(JSON.stringify(body, null, 2))}`]
    : Object.entries(body).map(([name, value]) => `-F ${quoted(`${name}=${textOf(value)}`)}`);
}

export function hintsOf(operation: Operation): SampleHints {
  return (operation as Operation & { [SAMPLE]?: SampleHints })[SAMPLE] ?? {};
}

/** A value of a path parameter that is valid in every installation. */
export function literalOf({ example, schema }: Parameter, api: ApiView): string | undefined {
  const resolved = schema ? shapeOf(api, schema).schema : {};
  const literal: unknown = example ?? resolved.example ?? resolved.enum?.[0];
  return literal === undefined ? undefined : String(literal);
}

/** The last static segment of a path, in the singular. */
export function lastSegment(path: string): string {
  const segment = path.split('/').findLast((one) => one !== '' && !one.startsWith('{')) ?? '';
  return segment.replace(/ies$/, 'y').replace(/s$/, '');
}

/** The first credentials of an operation; of several, those that another operation accepts as well. */
function credentialsOf(api: ApiView, { security = [] }: Operation, other?: Operation): string | null {
  const names = security.flatMap((one) => Object.keys(one));
  const [preferred] = Object.keys(other?.security?.[0] ?? {});
  const name = preferred !== undefined && names.includes(preferred) ? preferred : names[0];
  const scheme = name === undefined ? undefined : api.document.components?.securitySchemes?.[name];
  if (name === undefined || !scheme || isReference(scheme)) return null;
  const token =
    name === 'bearer' || name === 'apiKey' ? 'API_KEY' : `${name.replace(/Token$/, '').toUpperCase()}_TOKEN`;
  if (scheme.type === 'http') return `-H "Authorization: Bearer $${token}"`;
  return scheme.in === 'cookie' ? `-b "${scheme.name}=$${token}"` : `-H "${scheme.name}: $${token}"`;
}

function fields(api: ApiView, schema: SchemaOrReference, example: unknown): [string, string][] {
  const { properties } = shapeOf(api, schema);
  const values = new Map(Object.entries(example ?? {}));
  return properties.filter(([name]) => values.has(name)).map(([name]) => [name, textOf(values.get(name))]);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Quoted for a POSIX shell, with the marked variables expanded. */
function quoted(text: string): string {
  // A URL needs no other escapes between double quotes.
  if (text.includes(OPEN) && /^[\w:/?=&.,%~\uE000\uE001-]*$/.test(text)) {
    return `"${text.replace(VARIABLES, (_, name: string) => `$${name}`)}"`;
  }
  const literal = `'${text.replaceAll("'", `'\\''`)}'`;
  return literal.replace(VARIABLES, (_, name: string) => `'"$${name}"'`);
}
