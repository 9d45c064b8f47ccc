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

/** A shell command that makes the call with its example values. */
export function curlSample(api: ApiView, { method, path, operation }: OperationView, baseUrl: string): string {
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(urlOf(api, path, operation, baseUrl))}`];
  const credentials = credentialsOf(api, operation);
  if (credentials) lines.push(credentials);
  const body = operation.requestBody;
  if (body && !isReference(body)) lines.push(...bodyLines(api, body));
  return lines.join(' \\\n  ');
}

export function parametersOf({ parameters = [] }: Operation): Parameter[] {
  return parameters.flatMap((parameter) => (isReference(parameter) ? [] : [parameter]));
}

function urlOf(api: ApiView, path: string, operation: Operation, baseUrl: string): string {
  const query = parametersOf(operation)
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map((parameter) => `${parameter.name}=${encodeURIComponent(String(valueOf(api, parameter)))}`);
  // curl expands braces.
  const url = `${baseUrl}${path.replace(/\{(\w+)\}/g, (_, name: string) => `<${name}>`)}`;
  return query.length > 0 ? `${url}?${query.join('&')}` : url;
}

function valueOf(api: ApiView, { example, schema }: Parameter): unknown {
  return example ?? exampleOf(api, schema ?? { type: 'string' });
}

function credentialsOf(api: ApiView, { security = [] }: Operation): string | null {
  const [name] = Object.keys(security[0] ?? {});
  const scheme = name === undefined ? undefined : api.document.components?.securitySchemes?.[name];
  if (name === undefined || !scheme || isReference(scheme)) return null;
  const variable = name === 'bearer' || name === 'apiKey' ? 'API_KEY' : `${name.toUpperCase()}_TOKEN`;
  if (scheme.type === 'http') return `-H "Authorization: Bearer $${variable}"`;
  return scheme.in === 'cookie' ? `-b "${scheme.name}=$${variable}"` : `-H "${scheme.name}: $${variable}"`;
}

function bodyLines(api: ApiView, { content }: Body): string[] {
  const [first] = Object.keys(content);
  const type = content[JSON_TYPE] ? JSON_TYPE : first;
  const schema = type === undefined ? undefined : content[type]?.schema;
  if (type === undefined || !schema) return [];
  const header = `-H ${quoted(`Content-Type: ${type}`)}`;
  const example = content[type]?.example ?? exampleOf(api, schema, { sparse: true });
  if (type === JSON_TYPE) return [header, `-d ${quoted(JSON.stringify(example, null, 2))}`];
  if (type === FILE_TYPE)
    return fields(api, schema, example).map(([name, value]) => `-F ${quoted(`${name}=${value}`)}`);
  if (type === FORM_TYPE) {
    return fields(api, schema, example).map(([name, value]) => `--data-urlencode ${quoted(`${name}=${value}`)}`);
  }
  return [header, `-d ${typeof example === 'string' && example !== 'string' ? quoted(example) : '@body'}`];
}

function fields(api: ApiView, schema: SchemaOrReference, example: unknown): [string, string][] {
  const { properties } = shapeOf(api, schema);
  const values = new Map(Object.entries(example ?? {}));
  return properties.filter(([name]) => values.has(name)).map(([name]) => [name, textOf(values.get(name))]);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Quoted for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
