import { isReference, type ApiView, type Parameter, type SchemaOrReference } from './api-view';
import { parametersOf } from './curl-sample';
import { codesOf, errorGuide, factsOf, responsesOf } from './operation-facts';
import type { PageOperation, ReferencePage } from './outline';
import { PLACES } from './render-operation';
import { responseExample, samplesOf } from './samples-of-operation';
import { limitsOf, shapeOf, typeText, type Shape } from './schema-shape';
import { ROOT } from './root';

const INDENT = '  ';

/** The page of a resource as Markdown, with the fields as nested lists. */
export function pageAsMarkdown(page: ReferencePage, baseUrl: string): string {
  const { title, description, operations } = page;
  return [`# ${title}`, description, ...operations.map((operation) => operationText(operation, baseUrl))].join('\n\n');
}

function operationText(view: PageOperation, baseUrl: string): string {
  const { method, path, operation, api } = view;
  const { summary = `${method} ${path}`, description, requestBody } = operation;
  const responses = responsesOf(view);
  const guides = `${baseUrl}${ROOT}/guides`;
  const parts = [
    `## ${summary}`,
    `\`${method} ${path}\``,
    description ?? '',
    factsOf(view)
      .map(({ name, text }) => `- ${name}: ${text}`)
      .join('\n'),
  ];
  for (const [place, heading] of PLACES) {
    const parameters = parametersOf(operation).filter((parameter) => parameter.in === place);
    if (parameters.length > 0) parts.push(`### ${heading}`, parameterLines(api.view, parameters));
  }
  if (requestBody && !isReference(requestBody)) {
    parts.push(`### Body`, requestBody.description ?? '', bodyText(api.view, requestBody.content, 'request'));
  }
  for (const sample of samplesOf(api.view, view, baseUrl)) parts.push(fenced(sample.language, sample.code));
  for (const [status, response] of responses.filter(([one]) => Number(one) < 400))
    parts.push(`### Response ${status}`, response.description, bodyText(api.view, response.content ?? {}, 'response'));
  const example = responseExample(api.view, view);
  if (example) parts.push(fenced('json', example.json));
  const errors = responses.filter(([status]) => Number(status) >= 400);
  if (errors.length > 0) {
    const lines = errors.map(([status, response]) => {
      const codes = codesOf(response).map((code) => `[${code}](${guides}/${errorGuide(code)})`);
      return `- ${status}: ${codes.length > 0 ? codes.join(', ') : response.description}`;
    });
    parts.push('### Errors', lines.join('\n'));
  }
  return parts.filter((part) => part !== '').join('\n\n');
}

const fenced = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;

function bodyText(
  api: ApiView,
  content: Record<string, { schema?: SchemaOrReference }>,
  side: 'request' | 'response',
): string {
  const types = Object.keys(content).map((type) => `\`${type}\``);
  // Forms and JSON bodies usually have the same fields.
  const schemas = new Map(
    Object.values(content).flatMap(({ schema }) => (schema ? [[JSON.stringify(schema), schema]] : [])),
  );
  const fields = [...schemas.values()].map((schema) => fieldLines(api, schema, side, [], '').join('\n'));
  return [types.join(', '), ...fields].filter((part) => part !== '').join('\n\n');
}

function parameterLines(api: ApiView, parameters: readonly Parameter[]): string {
  return parameters
    .map(({ name, schema = { type: 'string' }, required = false, description }) =>
      fieldLine(api, { name, schema, isRequired: required, side: 'request', description }, ''),
    )
    .join('\n');
}

interface Field {
  name: string;
  schema: SchemaOrReference;
  isRequired: boolean;
  side: 'request' | 'response';
  description?: string | undefined;
}

function fieldLine(api: ApiView, { name, schema, isRequired, side, description }: Field, indent: string): string {
  const shape = shapeOf(api, schema);
  const notes = [
    typeText(api, schema),
    ...(isRequired && side === 'request' ? ['required'] : []),
    ...(!isRequired && side === 'response' ? ['optional'] : []),
    ...(shape.nullable ? ['nullable'] : []),
    ...factTexts(shape),
  ];
  const text = (description ?? shape.schema.description ?? '').replace(/\s+/g, ' ');
  return `${indent}- \`${name}\` (${notes.join(', ')})${text === '' ? '' : `: ${text}`}`;
}

function factTexts(shape: Shape): string[] {
  const { enum: allowed, default: fallback } = shape.schema;
  return [
    ...limitsOf(shape),
    ...(allowed ? [`one of ${allowed.map((value) => `\`${JSON.stringify(value)}\``).join(' ')}`] : []),
    ...(fallback === undefined ? [] : [`default \`${JSON.stringify(fallback)}\``]),
  ];
}

/** The fields of an object, and below each field those of its value. A schema is not expanded inside itself. */
function fieldLines(
  api: ApiView,
  schema: SchemaOrReference,
  side: Field['side'],
  within: readonly string[],
  indent: string,
): string[] {
  const { name, items, values, alternatives, properties, required } = shapeOf(api, schema);
  if (name !== undefined && within.includes(name)) return [];
  const path = [...within, name ?? ''];
  if (properties.length > 0) {
    return properties.flatMap(([field, of]) => [
      fieldLine(api, { name: field, schema: of, isRequired: required.includes(field), side }, indent),
      ...fieldLines(api, of, side, path, `${indent}${INDENT}`),
    ]);
  }
  const inner = items ?? values;
  return [...alternatives, ...(inner ? [inner] : [])].flatMap((one) => fieldLines(api, one, side, path, indent));
}
